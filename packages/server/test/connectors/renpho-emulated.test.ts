import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { weighingOn } from '../../../sandbox/src/providers/people/body.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { hasHandles } from '../../../sandbox/src/providers/renpho/measurements.ts'
import { failureOf, known } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** The connector of Renpho brings what the scales of the emulated people measured. */

const vendor = new EmulatedPassword('renpho')
const RANGE = { from: vendor.now() - 120 * DAY_MS, to: vendor.now() }

before(() => vendor.emulator.listen())
after(() => vendor.close())

const calendarOf = (account: string) => new Calendar(personOf('renpho', account))
const isClose = (actual: unknown, expected: number, most: number) =>
  assert.ok(Math.abs(Number(actual) - expected) <= most, `${actual} ${expected}`)

/** People with a scale with handles, and without. */
const ACCOUNTS = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}+live`)

test('every measurement of the person arrives, in percentages and kilograms', async () => {
  const kinds = new Set<boolean>()
  for (const account of ACCOUNTS) {
    const calendar = calendarOf(account)
    kinds.add(hasHandles(calendar))
    const tokens = await vendor.tokensOf(account)
    const { summaries, samples, quarantined } = await vendor.pull('measurements', tokens, RANGE)
    assert.deepEqual(quarantined, [])
    // The last one of an id counts.
    const stored = new Map(summaries.map((one) => [one.startedAt, one]))
    const expected = calendar
      .days(RANGE)
      .flatMap(({ number }) => weighingOn(calendar, number) ?? [])
      .filter(({ at }) => at >= RANGE.from && at < RANGE.to)
    assert.ok(expected.length > 60)
    // Neither the guest, nor what is older.
    assert.equal(stored.size, expected.length)
    for (const weighing of expected) {
      const body = stored.get(weighing.at) ?? assert.fail()
      const { kilograms } = weighing
      assert.equal(body.timezoneOffset, calendar.offsetAt(weighing.at) / 1000)
      assert.deepEqual([body.sourceType, body.deviceModel], ['scale', 'ES-CS20M'])
      assert.match(body.recordId, /^\d{19}$/)
      const values = known(body.values)
      assert.equal(values.weight_kilogram, kilograms)
      isClose(values.body_mass_index, kilograms / calendar.person.heightMeters ** 2, 0.05)
      const isPlain = calendar.dayAt(weighing.at).number % 5 === 0
      assert.equal(Object.keys(values).length, isPlain ? 2 : 8)
      if (isPlain) continue
      assert.equal(values.fat_mass_percentage, weighing.fatPercent)
      assert.equal(values.lean_body_mass_kilogram, weighing.leanKilograms)
      assert.equal(values.visceral_fat_index, weighing.visceralIndex)
      const percentOf = (mass: number) => (100 * mass) / kilograms
      isClose(values.water_percentage, percentOf(weighing.waterKilograms), 0.05)
      isClose(values.muscle_mass_percentage, percentOf(weighing.muscleKilograms), 1e-9)
      isClose(values.bone_mass_percentage, percentOf(weighing.boneKilograms), 1e-9)
    }
    const weights = new Set(
      samples.filter(({ series }) => series === 'body_weight').map(({ startedAt }) => startedAt),
    )
    assert.deepEqual(weights, new Set(expected.map(({ at }) => at)))
  }
  assert.equal(kinds.size, 2)
})

test('the weight of the account is of the app', async () => {
  const tokens = await vendor.tokensOf('anna')
  const { summaries } = await vendor.pull('measurements', tokens, { ...RANGE, from: 0 })
  const typed = summaries.filter(({ sourceType }) => sourceType === 'app')
  assert.deepEqual(
    typed.map(({ values }) => known(values)),
    [{ weight_kilogram: Math.round(calendarOf('anna').person.weightKilograms) }],
  )
})

test('each password has its outcome, and only the person signs in again', async () => {
  const wrong = { state: 'refused', reason: 'wrong_credential' }
  assert.deepEqual(await vendor.signIn('bob', 'wrong'), wrong)
  assert.deepEqual(await failureOf(vendor.signIn('bob', 'down')), { kind: 'unavailable' })
  const tokens = await vendor.tokensOf('bob')
  assert.deepEqual([tokens.refreshToken, tokens.expiresAt], [null, null])
  assert.equal(vendor.auth.renewal, 'by_person')
  // The person signs in to the app on the phone.
  const later = await vendor.tokensOf('bob')
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  const pull = (one: typeof tokens) => failureOf(vendor.pull('measurements', one, range))
  assert.deepEqual(await pull(tokens), { kind: 'unauthorized' })
  assert.equal(await pull(later), undefined)
  assert.deepEqual(await failureOf(vendor.renew(tokens, 'bob')), {
    kind: 'ended',
    errorType: 'token_refresh_failed',
  })
})

test('limits and errors of the vendor are understood', async () => {
  const tokens = await vendor.tokensOf('dave')
  const failure = async (kind: 'rate_limit' | 'unavailable' | 'malformed') => {
    await vendor.emulator.setFaults('renpho', 'dave', [{ kind, milliseconds: 42_000 }])
    return failureOf(vendor.pull('measurements', tokens, RANGE))
  }
  assert.deepEqual(await failure('unavailable'), { kind: 'unavailable' })
  assert.equal((await failure('malformed'))?.kind, 'unexpected')
  assert.equal((await failure('rate_limit'))?.kind, 'rate_limited')
})
