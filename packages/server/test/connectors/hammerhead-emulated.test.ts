import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { PageData, refreshTokens, revokeTokens, type VendorTokens } from '@salus/health/connectors'
import { pullRecord } from '../../../health/src/pulling/running/pull-range.ts'
import {
  ASCENT_METERS,
  activityIdOf,
  RECORD_MS,
  uploadedRides,
} from '../../../sandbox/src/providers/hammerhead/activities.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import {
  measuresOf,
  ratesOf,
  uploadedAt,
  wattsOf,
} from '../../../sandbox/src/providers/people/recorded-workouts.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'
import { NO_CONTEXT } from './no-context.ts'

/** The connector brings what the people of the emulated vendor do. */

const vendor = new EmulatedConnector('hammerhead')
const calendarOf = (account: string) => new Calendar(personOf('hammerhead', account))
const ACCOUNT =
  ['kim', 'lou', 'max', 'eva', 'tom', 'ada'].find(
    (name) => uploadedRides(calendarOf(name), vendor.now()).length > 60,
  ) ?? ''
const calendar = calendarOf(ACCOUNT)
const RANGE = { from: vendor.now() - 60 * DAY_MS, to: vendor.now() }
const SPORTS: Readonly<Record<string, string>> = {
  cycling: 'cycling',
  running: 'gravel_cycling',
  walking: 'electric_biking',
}

let tokens: VendorTokens
before(async () => {
  await vendor.emulator.listen()
  tokens = (await vendor.signIn(ACCOUNT)).tokens
})
after(() => vendor.close())

const isClose = (actual: unknown, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(Number(actual) - expected) <= tolerance, `${actual} ${expected}`)

test('every ride arrives with its stream, by the clock of the computer', async () => {
  const data = await vendor.pull('activities', tokens, RANGE)
  assert.deepEqual(data.quarantined, [])
  const within = uploadedRides(calendar, vendor.now()).filter(
    ({ exercise: { from } }) => from >= RANGE.from,
  )
  assert.ok(within.length > 8)
  const stored = data.summaries.filter(({ startedAt }) => startedAt >= RANGE.from)
  assert.deepEqual(
    stored.map(({ recordId }) => recordId),
    within.map((one) => activityIdOf(calendar, one)),
  )
  const streams = new Map([...data.streams.values()].map((stream) => [stream.time[0], stream]))
  for (const [index, one] of within.entries()) {
    const { from, to, sport } = one.exercise
    const summary = stored[index]
    assert.deepEqual(
      [summary?.startedAt, summary?.endedAt, summary?.timezoneOffset],
      [from, to, calendar.offsetAt(to) / 1000],
    )
    const values = known(summary?.values ?? {})
    const measures = measuresOf(calendar, one.exercise, RECORD_MS)
    assert.equal(values.sport_slug, SPORTS[sport.name])
    assert.equal(values.calories, measures.calories)
    isClose(values.distance_meter, measures.distanceMeters, 0.0051)
    assert.equal(values.elevation_gain_meter, ASCENT_METERS)
    assert.equal(values.heart_rate_mean, measures.meanHeartRate)
    assert.equal(values.heart_rate_maximum, measures.highestHeartRate)
    assert.equal(values.power_weighted_mean, wattsOf(one.exercise))
    assert.equal(values.duration_active_second, measures.seconds - 60)
    assert.ok('map_polyline' in values)
    const rates = ratesOf(calendar, one.exercise, RECORD_MS)
    const stream = streams.get(from / 1000) ?? assert.fail()
    assert.equal(stream.time.length, Math.ceil((to - from) / RECORD_MS))
    for (const [place, second] of stream.time.entries()) {
      const passed = (place * RECORD_MS) / 1000
      assert.equal(second, from / 1000 + passed)
      assert.equal(stream.heartrate?.[place] ?? undefined, rates.get(second * 1000))
      assert.equal(stream.power?.[place], wattsOf(one.exercise))
      assert.equal(stream.temperature?.[place], 14)
      isClose(stream.distance?.[place], sport.metersASecond * passed, 0.0051)
      isClose(stream.lng?.[place], 13.4, 1e-7)
    }
  }
})

test('a file that is still being processed is read later', async () => {
  const [latest] = uploadedRides(calendar, vendor.now())
  assert.ok(latest !== undefined)
  const at = uploadedAt(calendar, latest)
  const range = { from: at - 12 * HOUR_MS, to: at }
  const now = vendor.clock.now
  const pullAt = async (instant: number) => {
    vendor.clock.now = () => new Date(instant)
    const own = (await vendor.signIn(ACCOUNT)).tokens
    const { summaries, quarantined } = await vendor.pull('activities', own, range)
    assert.deepEqual(quarantined, [])
    return summaries.some(({ recordId }) => recordId === activityIdOf(calendar, latest))
  }
  try {
    assert.equal(await pullAt(at + MINUTE_MS), false)
    assert.equal(await pullAt(at + 5 * MINUTE_MS), true)
  } finally {
    vendor.clock.now = now
  }
})

test('a message names an activity, which is requested with its file', async () => {
  const span = { from: vendor.now() - 30 * DAY_MS, to: vendor.now() }
  const { connector, connectors, app, emulator } = vendor
  const notices = await vendor.receive(app, async (url) => {
    await connectors.enterPushAddress(connector, { kind: 'sandbox' }, app, url)
    await emulator.push('hammerhead', ACCOUNT, span)
  })
  assert.ok(notices.length > 3)
  const [notice] = notices
  const [collection] = connector.collections
  assert.ok(notice?.record !== undefined && collection !== undefined)
  assert.equal(notice.accountId, emulator.accountIdOf('hammerhead', ACCOUNT))
  assert.equal(notice.accountId, tokens.extra?.user_id)
  const session = { fetchJson: vendor.fetchJson(tokens), context: NO_CONTEXT }
  const owner = { userId: 'u', provider: 'hammerhead' }
  const pulled: unknown[] = []
  const open = async () => session
  await pullRecord(open, { collection, owner }, notice.record, async ({ summaries, streams }) => {
    pulled.push(...(summaries ?? []).map(({ recordId }) => recordId), streams?.size)
  })
  assert.deepEqual(pulled, [notice.record.id, 1])
})

test('limits, missing scopes, refreshes and the end of the access are understood', async () => {
  const { connector, address, app } = vendor
  const { tokens: own } = await vendor.signIn('lou')
  const list = () => failureOf(vendor.pull('activities', own, RANGE))
  for (const [kind, expected] of [
    ['rate_limit', 'rate_limited'],
    ['server_error', 'unavailable'],
    ['malformed', 'unexpected'],
    ['unauthorized', 'unauthorized'],
  ] as const) {
    await vendor.emulator.setFaults('hammerhead', 'lou', [{ kind, times: 1 }])
    assert.equal((await list())?.kind, expected, kind)
  }
  await vendor.emulator.expire('hammerhead', 'lou')
  assert.equal((await list())?.kind, 'unauthorized')
  vendor.clock.advance(1)
  const next = await refreshTokens(connector, address, app, own, vendor.clock.now())
  assert.equal(next.expiresAt, vendor.now() + 52_000_000)
  const refresh = (wanted: VendorTokens) =>
    failureOf(refreshTokens(connector, address, app, wanted, vendor.clock.now()))
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  assert.deepEqual(await refresh(own), ended)
  await revokeTokens(connector, address, app, next)
  assert.deepEqual(await refresh(next), ended)
})

test('an answer that is no page is unexpected', () => {
  const [collection] = vendor.connector.collections
  const data = new PageData({ userId: 'u', provider: 'hammerhead' })
  const request = { range: RANGE, cursor: null, context: NO_CONTEXT }
  assert.throws(() => collection?.map([], data, [], request))
})
