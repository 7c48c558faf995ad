import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { PageData } from '@salus/health/connectors'
import { recordingOn, voltagesOf } from '../../../sandbox/src/providers/people/body.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { failureOf } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'
import { pullCollection } from './pull-collection.ts'

/** The connector of Kardia brings the recordings of the emulated people. */

const vendor = new EmulatedPassword('kardia')
const RANGE = { from: vendor.now() - 24 * DAY_MS, to: vendor.now() }

before(() => vendor.emulator.listen())
after(() => vendor.close())

test('every recording arrives, with the voltages of its leads', async () => {
  const leads = new Set<number>()
  for (const account of ['anna', 'bob', 'carla', 'dave']) {
    const calendar = new Calendar(personOf('kardia', account))
    const tokens = await vendor.tokensOf(account)
    const { summaries, samples, quarantined } = await vendor.pull('recordings', tokens, RANGE)
    assert.deepEqual(quarantined, [])
    const expected = calendar
      .days(RANGE)
      .flatMap(({ number }) => {
        const recording = recordingOn(calendar, number)
        return recording === undefined ? [] : [{ ...recording, number }]
      })
      .filter(({ at }) => at >= RANGE.from && at < RANGE.to)
    assert.ok(expected.length > 8)
    assert.equal(summaries.length, expected.length)
    const voltages = samples.filter(({ series }) => series === 'electrocardiogram_voltage')
    const names = new Set(voltages.map(({ sampleType }) => sampleType))
    assert.equal(voltages.length, 9000 * names.size * expected.length)
    leads.add(names.size)
    for (const recording of expected) {
      const summary = summaries.find(({ startedAt }) => startedAt === recording.at)
      const isUnreadable = recording.number % 16 === 0
      const values = summary?.values as Record<string, unknown>
      assert.equal(values.heart_rate_mean, isUnreadable ? null : recording.beats)
      assert.equal(values.voltage_sample_count, 9000)
      assert.equal(values.sampling_frequency_hz, 300)
      assert.equal(summary?.endedAt, recording.at + 30_000)
      assert.equal(summary?.timezoneOffset, calendar.offsetAt(recording.at) / 1000)
      const isFibrillation = recording.hasFibrillation && !isUnreadable
      assert.equal(values.classification === 'atrial_fibrillation', isFibrillation)
      const first = voltages.filter(
        ({ sampleType, startedAt: at }) =>
          sampleType === 'lead_1' && at >= recording.at && at < recording.at + 30_000,
      )
      const millivolts = voltagesOf(recording, 300, 30).map((microvolts) => microvolts / 1000)
      // Lists of thousands of numbers would take minutes to print.
      assert.ok(
        millivolts.every((value, index) => Math.abs(value - Number(first[index]?.value)) < 1e-9),
      )
      assert.equal(first.at(-1)?.startedAt, recording.at + Math.round((8999 * 1000) / 300))
    }
    const alerts = samples.filter(({ series }) => series === 'heart_rate_alert')
    assert.equal(
      alerts.length,
      expected.filter((one) => one.hasFibrillation && one.number % 16 !== 0).length,
    )
  }
  assert.deepEqual(leads, new Set([1, 6]))
})

test('a walk ends at the first recording before the range', async () => {
  const tokens = await vendor.tokensOf('anna')
  const range = { from: vendor.now() - 4 * DAY_MS, to: vendor.now() }
  let lists = 0
  const [collection] = vendor.connector.collections
  assert.ok(collection !== undefined)
  const { page } = collection
  const counted = {
    ...collection,
    page: (...wanted: Parameters<typeof page>) => {
      lists += 1
      return page(...wanted)
    },
  }
  const connector = { ...vendor.connector, collections: [counted] }
  const data = new PageData({ userId: 'u', provider: 'kardia' })
  const wanted = { connector, name: 'recordings', range, data }
  const context = { extra: tokens.extra ?? {}, ...vendor.context }
  await pullCollection(vendor.fetchJson(tokens), wanted, context)
  const { summaries } = data
  assert.ok(summaries.length >= 1 && summaries.length <= 3)
  assert.equal(lists, 1)
})

test('each password has its outcome, and a session is renewed by it', async () => {
  const wrong = { state: 'refused', reason: 'wrong_credential' }
  assert.deepEqual(await vendor.signIn('emil', 'wrong'), wrong)
  assert.deepEqual(await failureOf(vendor.signIn('emil', 'down')), { kind: 'unavailable' })
  const tokens = await vendor.tokensOf('emil')
  await vendor.emulator.expire('kardia', 'emil')
  const pull = (one: typeof tokens) => failureOf(vendor.pull('recordings', one, RANGE))
  assert.deepEqual(await pull(tokens), { kind: 'unauthorized' })
  vendor.clock.advance(1)
  const renewed = await vendor.renew(tokens, 'emil')
  assert.equal(await pull(renewed), undefined)
  await vendor.emulator.revoke('kardia', 'emil')
  assert.deepEqual(await failureOf(vendor.renew(renewed, 'emil')), {
    kind: 'ended',
    errorType: 'provider_credential_error',
  })
})
