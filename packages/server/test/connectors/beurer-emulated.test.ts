import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { pressuresOn, stripsOn, weighingOn } from '../../../sandbox/src/providers/people/body.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { failureOf, known } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** The connector of Beurer brings what the meters of the emulated people measured. */

const vendor = new EmulatedPassword('beurer_api')
const RANGE = { from: vendor.now() - 120 * DAY_MS, to: vendor.now() }
const MILLIGRAMS_A_MILLIMOLE = 18.0182

before(() => vendor.emulator.listen())
after(() => vendor.close())

const isWithin = ({ at }: { at: number }) => at >= RANGE.from && at < RANGE.to

for (const account of ['anna', 'bob', 'carla']) {
  test(`every measurement of ${account} arrives`, async () => {
    const calendar = new Calendar(personOf('beurer_api', account))
    const days = calendar.days(RANGE).map(({ number }) => number)
    const tokens = await vendor.tokensOf(account)
    const pull = async (name: string) => {
      const data = await vendor.pull(name, tokens, RANGE)
      assert.deepEqual(data.quarantined, [])
      return data
    }
    const offsetOf = (at: number) => calendar.offsetAt(at) / 1000
    const pressures = days.flatMap((day) => pressuresOn(calendar, day)).filter(isWithin)
    assert.deepEqual(
      (await pull('blood_pressure')).samples.map(
        ({ startedAt, value, diastolic, timezoneOffset }) => [
          startedAt,
          value,
          diastolic,
          timezoneOffset,
        ],
      ),
      pressures.map(({ at, systolic, diastolic }) => [at, systolic, diastolic, offsetOf(at)]),
    )
    const strips = days.flatMap((day) => stripsOn(calendar, day)).filter(isWithin)
    const { samples } = await pull('glucose')
    assert.equal(samples.length, strips.length)
    for (const [index, { at, value }] of strips.entries()) {
      const sample = samples[index]
      assert.equal(sample?.startedAt, at)
      assert.ok(Math.abs(Number(sample?.value) * MILLIGRAMS_A_MILLIMOLE - value) < 0.05)
    }
    const weighings = days.flatMap((day) => weighingOn(calendar, day) ?? []).filter(isWithin)
    const { summaries } = await pull('weight')
    assert.equal(summaries.length, weighings.length)
    for (const [index, { at, kilograms, fatPercent }] of weighings.entries()) {
      const isPlain = calendar.dayAt(at).number % 5 === 0
      const values = known(summaries[index]?.values ?? {})
      assert.equal(values.weight_kilogram, kilograms)
      assert.equal(values.fat_mass_percentage, isPlain ? undefined : fatPercent)
    }
  })
}

test('each password has its outcome, and a session is renewed by it', async () => {
  const wrong = { state: 'refused', reason: 'wrong_credential' }
  assert.deepEqual(await vendor.signIn('emil', 'wrong'), wrong)
  assert.deepEqual(await failureOf(vendor.signIn('emil', 'down')), { kind: 'unavailable' })
  const tokens = await vendor.tokensOf('emil')
  await vendor.emulator.expire('beurer_api', 'emil')
  const pull = (one: typeof tokens) => failureOf(vendor.pull('weight', one, RANGE))
  assert.deepEqual(await pull(tokens), { kind: 'unauthorized' })
  vendor.clock.advance(1)
  assert.equal(await pull(await vendor.renew(tokens, 'emil')), undefined)
})
