import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { PageData } from '@salus/health/connectors'
import {
  calibrationsOn,
  carrierOn,
  eventsOn,
  readingsIn,
} from '../../../sandbox/src/providers/dexcom-v3/records.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { failureOf } from './emulated-connector.ts'
import { assertSameRows, GrantedConnector } from './granted-connector.ts'

/** The connector and the emulated Dexcom, which share no code, understand each other. */

const dexcom = new GrantedConnector('dexcom_v3')
const NOW = dexcom.clock.now().getTime()
const RANGE = { from: NOW - 45 * DAY_MS, to: NOW }
const PHONE_DELAY = HOUR_MS
const RECEIVER_DELAY = 9 * DAY_MS

before(() => dexcom.emulator.listen())
after(() => dexcom.close())

type Row = readonly [at: number, offset: number | null, value: number | string, type: string]

const rowsOf = (data: PageData, series: string): Row[] =>
  data.samples
    .filter((sample) => sample.series === series)
    .map((one): Row => [one.startedAt, one.timezoneOffset, one.text || one.value, one.sampleType])
    .sort(compareRows)
const compareRows = (a: Row, b: Row): number => a[0] - b[0] || (a[2] < b[2] ? -1 : 1)

/** mmol/L, as the vendor sends them to this account. */
const stored = (calendar: Calendar, milligrams: number): number => {
  const isMetric = calendar.person.traits.has('eu')
  const millimoles = milligrams / 18.0182
  return isMetric ? Math.round(millimoles * 10) / 10 : millimoles
}

const near = (rows: readonly Row[]) =>
  rows.map(([at, offset, value, type]) => [
    at,
    offset,
    typeof value === 'number' ? value.toFixed(6) : value,
    type,
  ])

/** What a sensor measured and a phone or receiver uploaded. */
function sensedBy(calendar: Calendar): Row[] {
  return readingsIn(calendar, { from: RANGE.from, to: RANGE.to }).flatMap(
    ({ at, value }): Row[] => {
      if (typeof value !== 'number') return []
      const isOfReceiver = carrierOn(calendar.dayAt(at).number) === 'receiver'
      const [seen, delay] = isOfReceiver ? [at + 7000, RECEIVER_DELAY] : [at, PHONE_DELAY]
      if (seen + delay > NOW || seen >= RANGE.to) return []
      const offset = isOfReceiver ? null : calendar.offsetAt(at) / 1000
      return [[seen, offset, stored(calendar, value), 'automatic']]
    },
  )
}

for (const account of ['anna', 'bob+travel', 'carla+eu']) {
  test(`what arrives of ${account} are the readings and entries of the person`, async () => {
    const tokens = await dexcom.grant(account)
    const calendar = new Calendar(personOf('dexcom_v3', account))
    const days = calendar.days(RANGE).map(({ number }) => number)
    const isSeen = ({ at }: { at: number }) =>
      at >= RANGE.from && at < RANGE.to && at + PHONE_DELAY <= NOW
    const placed = (at: number) => [at, calendar.offsetAt(at) / 1000] as const

    const glucose = await dexcom.pull('egvs', tokens, RANGE)
    const calibrations = days
      .flatMap((number) => calibrationsOn(calendar, number))
      .filter(isSeen)
      .map(({ at, value }): Row => [...placed(at), stored(calendar, value), 'fingerprick'])
    const expected = [...sensedBy(calendar), ...calibrations].sort(compareRows)
    assert.ok(expected.length > 9000 && calibrations.length > 5)
    assertSameRows(near(rowsOf(glucose, 'glucose')), near(expected))
    // What could not be measured is set aside.
    assert.ok(glucose.quarantined.length > 10)
    assert.ok(glucose.quarantined.every(({ reason }) => reason === 'out_of_range'))
    assert.deepEqual(
      near(rowsOf(await dexcom.pull('calibrations', tokens, RANGE), 'glucose')),
      near(calibrations),
    )

    const diary = await dexcom.pull('events', tokens, RANGE)
    assert.deepEqual(diary.quarantined, [])
    const events = days
      .flatMap((number) => eventsOn(calendar, number))
      .filter(isSeen)
      .filter(({ deletedAt }) => deletedAt === undefined || deletedAt > NOW)
    const of = (...types: string[]) => events.filter(({ eventType }) => types.includes(eventType))
    const carbohydrates = of('carbs').map(({ at, value, corrected, correctedAt = NOW }): Row => {
      const grams = corrected !== undefined && correctedAt < NOW ? corrected : value
      return [...placed(at), Number(grams), '']
    })
    assert.deepEqual(rowsOf(diary, 'carbohydrates'), carbohydrates.sort(compareRows))
    const doses = of('insulin').map(({ at, value, eventSubType }): Row => {
      const type = eventSubType === 'fastActing' ? 'rapid_acting' : 'long_acting'
      return [...placed(at), Number(value), type]
    })
    assert.deepEqual(rowsOf(diary, 'insulin_injection'), doses.sort(compareRows))
    assert.equal(rowsOf(diary, 'note').length, of('notes', 'exercise', 'health').length)
    assert.ok(carbohydrates.length > 50)
  })
}

test('a correction and a deletion change what is read of a day', async () => {
  const tokens = await dexcom.grant('dora')
  const calendar = new Calendar(personOf('dexcom_v3', 'dora'))
  const all = calendar.days(RANGE).flatMap(({ number }) => eventsOn(calendar, number))
  assert.ok(all.some(({ deletedAt }) => deletedAt !== undefined && deletedAt < NOW))
  assert.ok(all.some(({ corrected }) => corrected !== undefined))
  const truth = dexcom.emulator.truthOf('dexcom_v3', 'dora', RANGE)
  const statuses = new Set(
    (truth.events as { eventStatus: string }[]).map((one) => one.eventStatus),
  )
  assert.deepEqual([...statuses].sort(), ['created', 'deleted', 'updated'])
  const once = await dexcom.pull('events', tokens, RANGE)
  await dexcom.emulator.setFaults('dexcom_v3', 'dora', [{ kind: 'duplicate_pages' }])
  const twice = await dexcom.pull('events', tokens, RANGE)
  assert.deepEqual(twice.samples, once.samples)
})

test('a person is known by the id of the answers; refused ranges, limits and ends have their meaning', async () => {
  const { tokens, grantedScopes } = await dexcom.signIn('emil')
  assert.deepEqual(grantedScopes, ['offline_access'])
  const { connector } = dexcom
  const fetchJson = dexcom.fetchJson(tokens)
  assert.equal(
    await connector.auth.identify(fetchJson, tokens),
    dexcom.emulator.accountIdOf('dexcom_v3', 'emil'),
  )
  const path = '/v3/users/self/egvs'
  const query = { startDate: '2026-01-01T00:00:00', endDate: '2026-02-01T00:00:00' }
  assert.deepEqual(await failureOf(fetchJson({ path, query })), { kind: 'unexpected', status: 400 })
  const pull = () => failureOf(dexcom.pull('egvs', tokens, { from: NOW - 5 * MINUTE_MS, to: NOW }))
  for (const [kind, expected] of [
    ['rate_limit', 'rate_limited'],
    ['server_error', 'unavailable'],
    ['malformed', 'unexpected'],
    ['unauthorized', 'unauthorized'],
  ] as const) {
    await dexcom.emulator.setFaults('dexcom_v3', 'emil', [{ kind }])
    assert.equal((await pull())?.kind, expected)
  }
  await dexcom.emulator.setFaults('dexcom_v3', 'emil', [])
  await dexcom.emulator.expire('dexcom_v3', 'emil')
  dexcom.clock.now = () => new Date(NOW + 1000)
  assert.equal((await pull())?.kind, 'unauthorized')
  const next = await dexcom.refresh(tokens)
  assert.equal(next.expiresAt, NOW + 1000 + 7200 * 1000)
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  assert.deepEqual(await failureOf(dexcom.refresh(tokens)), ended)
  await dexcom.emulator.revoke('dexcom_v3', 'emil')
  assert.deepEqual(await failureOf(dexcom.refresh(next)), ended)
})
