import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { revokeTokens } from '@salus/health/connectors'
import { ratesIn, rowsOn } from '../../../sandbox/src/providers/fitbit/days.ts'
import { fitbitUntil, zoneOf } from '../../../sandbox/src/providers/fitbit/frame.ts'
import { activityLogsOn, measuredIn } from '../../../sandbox/src/providers/fitbit/logs.ts'
import { sleepsOfDay } from '../../../sandbox/src/providers/fitbit/sleeps.ts'
import { Calendar } from '../../../sandbox/src/providers/people/days.ts'
import { offsetAt } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { failureOf } from './emulated-connector.ts'
import { assertSameRows, GrantedConnector } from './granted-connector.ts'

/** Workouts, nights of the clock, and the life of a connection with the emulated Fitbit. */

const fitbit = new GrantedConnector('fitbit')
const NOW = Date.parse('2026-03-01T12:00:00Z')
const TODAY = Math.floor(NOW / DAY_MS)
let now = NOW
fitbit.clock.now = () => new Date(now)

before(() => fitbit.emulator.listen())
after(() => fitbit.close())

const calendarOf = (account: string) => new Calendar(personOf('fitbit', account))
let apps = 0
const signIn = (account: string, scopes?: readonly string[]) => {
  apps += 1
  return fitbit.grant(account, scopes, `app-${apps}`)
}

test('a person signs in on the pages of the vendor, and is known by the token answer', async () => {
  const { connector } = fitbit
  const { tokens, grantedScopes } = await fitbit.signIn('ida')
  assert.deepEqual(grantedScopes.toSorted(), connector.auth.scopes.toSorted())
  const id = await connector.auth.identify(fitbit.fetchJson(tokens), tokens)
  assert.equal(id, fitbit.emulator.accountIdOf('fitbit', 'ida'))
})

test('workouts and their streams are those of the person, each once', async () => {
  const account = 'lea+travel'
  const calendar = calendarOf(account)
  const until = fitbitUntil(calendar, NOW)
  const range = { from: (TODAY - 25) * DAY_MS, to: NOW }
  const data = await fitbit.pull('activity_logs', await signIn(account), range)
  assert.deepEqual(data.quarantined, [])
  const days = Array.from({ length: 26 }, (_, position) => TODAY - 25 + position)
  const logs = days.flatMap((day) => activityLogsOn(calendar, day, until))
  const tracked = logs.filter(({ logType }) => logType === 'tracker')
  assert.ok(tracked.length > 3 && logs.length > tracked.length)
  const stored = data.summaries.filter(({ startedAt }) => startedAt >= range.from + DAY_MS)
  const expected = tracked.filter(({ exercise }) => exercise.from >= range.from + DAY_MS)
  assert.deepEqual(
    stored.map((one) => [one.recordId, one.startedAt, one.endedAt, one.timezoneOffset]),
    expected.map(({ logId, exercise: { from, to } }) => [
      String(logId),
      from,
      to,
      calendar.offsetAt(from) / 1000,
    ]),
  )
  for (const { logId, exercise } of expected) {
    const { steps, meters, calories, meanRate } = measuredIn(calendar, exercise)
    const summary = stored.find(({ recordId }) => recordId === String(logId))
    const values = summary?.values as Record<string, number | null>
    assert.deepEqual(
      [values.steps, values.distance_meter, values.calories, values.heart_rate_mean],
      [steps || null, meters || null, calories, meanRate],
    )
  }
  const streams = [...data.streams.values()]
  assert.ok(streams.length >= expected.length)
  const heard = streams.flatMap(({ time, heartrate = [] }) =>
    time.flatMap((at, position) => (heartrate[position] ? [[at * 1000, heartrate[position]]] : [])),
  )
  for (const { exercise } of expected) {
    const rates = ratesIn(calendar, exercise, 5000).map(({ at, value }) => [at, value])
    const own = heard.filter(([at]) => Number(at) >= exercise.from && Number(at) < exercise.to)
    assert.deepEqual(own, rates)
  }
})

test('days on which clocks change lose no minute', async () => {
  const accounts = ['anna', 'bob', 'carla', 'dora', 'emil', 'fred']
  const [found] = accounts.map(calendarOf).flatMap((calendar, index) => {
    const zone = zoneOf(calendar)
    const days = Array.from({ length: 120 }, (_, count) => TODAY - 160 + count)
    const day = days.find(
      (one) => offsetAt(zone, (one + 1) * DAY_MS) < offsetAt(zone, one * DAY_MS),
    )
    return day === undefined ? [] : [{ account: accounts[index] ?? '', calendar, day }]
  })
  assert.ok(found !== undefined)
  const { account, calendar, day } = found
  const range = { from: (day - 1) * DAY_MS, to: (day + 2) * DAY_MS }
  const data = await fitbit.pull('steps', await signIn(account), range)
  const rows = [day - 1, day, day + 1].flatMap((one) => rowsOn(calendar, 'steps', one, NOW))
  assert.equal(rows.length, (24 + 25 + 24) * 60)
  const [first = 0, last = 0] = [rows[0]?.at, rows.at(-1)?.at]
  const steps = data.samples.filter(({ series }) => series === 'steps')
  const samples = steps.filter(({ startedAt }) => startedAt >= first && startedAt <= last)
  samples.sort((a, b) => a.startedAt - b.startedAt)
  assertSameRows(
    samples.map((one) => [one.startedAt, one.endedAt - one.startedAt, one.value]),
    rows.map(({ at, value }) => [at, MINUTE_MS, value]),
  )
})

test('without the profile times have no offset, and without its scope nothing is served', async () => {
  const range = { from: (TODAY - 2) * DAY_MS, to: NOW }
  const tokens = await signIn('anna', ['heartrate', 'activity'])
  const data = await fitbit.pull('heart', tokens, range)
  assert.ok(data.samples.length > 1000)
  assert.ok(data.samples.every(({ timezoneOffset }) => timezoneOffset === null))
  const failure = await failureOf(fitbit.pull('sleep', tokens, range))
  assert.deepEqual(failure, { kind: 'refused' })
})

test('a night that the person corrected has another record', async () => {
  const account = 'anna'
  const calendar = calendarOf(account)
  const days = Array.from({ length: 60 }, (_, position) => TODAY - 60 + position)
  const edited = days.flatMap((day) => sleepsOfDay(calendar, day, NOW)).find((one) => one.isEdited)
  assert.ok(edited !== undefined)
  const range = { from: edited.from - DAY_MS, to: edited.to + DAY_MS }
  const idsAt = async (at: number) => {
    now = at
    const data = await fitbit.pull('sleep', await signIn(account), range)
    return data.summaries.map(({ recordId }) => recordId)
  }
  const former = String(edited.logId - 100_000)
  const early = await idsAt(edited.to + 14 * HOUR_MS)
  const late = await idsAt(edited.to + 3 * DAY_MS)
  now = NOW
  assert.ok(early.includes(former) && !early.includes(String(edited.logId)))
  assert.ok(late.includes(String(edited.logId)) && !late.includes(former))
})

test('limits, errors and ends have their meaning', async () => {
  const tokens = await fitbit.grant('gina')
  const range = { from: TODAY * DAY_MS, to: NOW }
  const pull = () => failureOf(fitbit.pull('devices', tokens, range))
  for (const [kind, expected] of [
    ['server_error', 'unavailable'],
    ['malformed', 'unexpected'],
    ['unauthorized', 'unauthorized'],
  ] as const) {
    await fitbit.emulator.setFaults('fitbit', 'gina', [{ kind }])
    assert.equal((await pull())?.kind, expected)
  }
  await fitbit.emulator.setFaults('fitbit', 'gina', [])
  let failure: Awaited<ReturnType<typeof pull>>
  for (let count = 0; count < 150 && failure === undefined; count += 1) failure = await pull()
  // Until the full hour.
  assert.deepEqual(failure, { kind: 'rate_limited', retryAfterMs: HOUR_MS })
  const next = await fitbit.refresh(tokens)
  assert.deepEqual(next.extra, tokens.extra)
  assert.equal(next.expiresAt, NOW + 8 * HOUR_MS)
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  assert.deepEqual(await failureOf(fitbit.refresh(tokens)), ended)
  const wrongApp = { ...fitbit.app, clientSecret: 'wrong' }
  assert.equal((await failureOf(fitbit.refresh(next, wrongApp)))?.kind, 'unexpected')
  const { connector, address } = fitbit
  await revokeTokens(connector, address, fitbit.app, next)
  assert.deepEqual(await failureOf(fitbit.refresh(next)), ended)
})

test('messages name the days that changed, and the end of an access', async () => {
  const { connector, app } = fitbit
  const { push } = connector
  assert.ok(push?.subscribeUser)
  const accountId = fitbit.emulator.accountIdOf('fitbit', 'anna')
  const tokens = await fitbit.grant('anna')
  const changed = await fitbit.receive(app, async (url) => {
    await fitbit.connectors.enterPushAddress(connector, { kind: 'sandbox' }, app, url)
    await push.subscribeUser?.(fitbit.fetchJson(tokens), tokens, url)
    await push.subscribeUser?.(fitbit.fetchJson(tokens), tokens, url)
    await fitbit.emulator.push('fitbit', 'anna', { from: NOW - DAY_MS, to: NOW })
  })
  const names = new Set(changed.map(({ collection }) => collection))
  for (const name of ['activities', 'heart', 'steps', 'sleep']) assert.ok(names.has(name), name)
  const days = new Set(changed.map(({ range }) => range && Math.floor(range.from / DAY_MS)))
  assert.ok(days.has(TODAY) && days.has(TODAY - 1))
  assert.ok(changed.every((notice) => notice.accountId === accountId))
  const ended = await fitbit.receive(app, async (url) => {
    await fitbit.connectors.enterPushAddress(connector, { kind: 'sandbox' }, app, url)
    await fitbit.emulator.revoke('fitbit', 'anna')
  })
  assert.deepEqual(ended, [{ accountId, collection: null, range: null }])
})
