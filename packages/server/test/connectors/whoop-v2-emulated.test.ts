import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { PageData, refreshTokens, revokeTokens } from '@salus/health/connectors'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar, type Span } from '../../../sandbox/src/providers/people/days.ts'
import { Heart, nightSignsOn } from '../../../sandbox/src/providers/people/heart.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { knownSleeps } from '../../../sandbox/src/providers/whoop-v2/nights.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'
import { NO_CONTEXT } from './no-context.ts'

/** The connector brings what the people of the emulated vendor do. */

const vendor = new EmulatedConnector('whoop_v2')
const ACCOUNT = 'lea+live'
const calendar = new Calendar(personOf('whoop_v2', ACCOUNT))
/** What happened more than a day ago changes no more. */
const SPAN: Span = { from: vendor.now() - 40 * DAY_MS, to: vendor.now() - 2 * DAY_MS }

before(() => vendor.emulator.listen())
after(() => vendor.close())

async function pull(name: string) {
  const { tokens } = await vendor.signIn(ACCOUNT)
  const data = await vendor.pull(name, tokens, { from: SPAN.from, to: vendor.now() })
  assert.deepEqual(data.quarantined, [])
  return data.summaries
}

const days = () => calendar.days(SPAN)
const isWithin = ({ from, to }: Span) => from >= SPAN.from && to <= SPAN.to
const secondsOf = (stages: readonly string[], ...wanted: string[]) =>
  300 * stages.filter((stage) => wanted.includes(stage)).length
const isClose = (actual: unknown, expected: number) =>
  assert.ok(Math.abs(Number(actual) - expected) < 1e-6 * (1 + expected), `${actual} ${expected}`)
const offsetOf = (at: number) => calendar.offsetAt(at) / 1000
const kilocaloriesOf = (span: Span) =>
  activeMinutes(calendar, span).reduce(
    (sum, { met, isWorn }) => sum + caloriesOf(isWorn ? met : 1, calendar.person.weightKilograms),
    0,
  )
function beatsOf(span: Span): number[] {
  const beats: number[] = []
  new Heart(calendar).each(span, 60_000, (_at, rate) => beats.push(rate))
  return beats
}

test('every night and nap arrives, with its stages and its recovery', async () => {
  const stored = new Map((await pull('sleep')).map((one) => [one.startedAt, one]))
  let naps = 0
  const sleeps = days()
    .flatMap(({ number }) => knownSleeps(calendar, number, vendor.now()))
    .filter(isWithin)
  assert.ok(sleeps.length > 25)
  for (const { from, to, stages, isNap, day } of sleeps) {
    const sleep = stored.get(from) ?? assert.fail(new Date(from).toISOString())
    assert.deepEqual([sleep.endedAt, sleep.timezoneOffset], [to, offsetOf(to)])
    const asleep = secondsOf(stages, 'light', 'deep', 'rem')
    const { score, recovery_readiness_score, hrv_mean_rmssd, ...values } = known(sleep.values)
    assert.ok(Number(score) > 0)
    const signs = nightSignsOn(calendar, day)
    if (isNap) naps += 1
    else assert.ok(Number(recovery_readiness_score) > 0 && Number(hrv_mean_rmssd) > 0)
    const { illness } = calendar.day(day)
    const recovery = {
      heart_rate_resting: Math.round(calendar.person.restingHeartRate + 6 * illness),
      skin_temperature: Number((33.5 + signs.temperatureDeviation).toFixed(2)),
    }
    assert.deepEqual(values, {
      ...(isNap ? { type: 'acknowledged_nap' } : recovery),
      duration_second: (to - from) / 1000,
      stage_asleep_second: asleep,
      stage_awake_second: secondsOf(stages, 'awake'),
      stage_light_second: secondsOf(stages, 'light'),
      stage_deep_second: secondsOf(stages, 'deep'),
      stage_rem_second: secondsOf(stages, 'rem'),
      stage_unknown_second: 0,
      efficiency: (100 * asleep * 1000) / (to - from),
      respiratory_rate: signs.breath,
      stage_start_offset_second: [],
      stage_end_offset_second: [],
      stage_type: [],
    })
  }
  const inSpan = [...stored.values()].filter((one) =>
    isWithin({ from: one.startedAt, to: one.endedAt }),
  )
  assert.equal(inSpan.length, sleeps.length)
  assert.ok(naps > 0, 'the person naps')
})

test('every cycle is the activity of the day on which the person woke up', async () => {
  const stored = new Map((await pull('cycle')).map((one) => [one.startedAt, one]))
  let count = 0
  for (const { number, night } of days()) {
    const span = { from: night.from, to: calendar.day(number + 1).night.from }
    if (!isWithin(span) || !isWornDuring(calendar, span)) continue
    count += 1
    const cycle = stored.get(span.from) ?? assert.fail()
    assert.deepEqual([cycle.calendarDate, cycle.endedAt], [dateText(number), span.to])
    const { calories_total, ...values } = known(cycle.values)
    isClose(calories_total, kilocaloriesOf(span))
    const beats = beatsOf(span)
    const mean = beats.reduce((sum, rate) => sum + rate, 0) / beats.length
    assert.deepEqual(values, {
      heart_rate_mean: Math.round(mean),
      heart_rate_maximum: Math.max(...beats),
    })
  }
  assert.ok(count > 25)
})

test('every workout arrives, with its zones', async () => {
  const stored = await pull('workout')
  const exercises = days()
    .flatMap((day) => day.exercises)
    .filter((exercise) => isWithin(exercise) && isWornDuring(calendar, exercise))
  const present = stored.filter((one) => isWithin({ from: one.startedAt, to: one.endedAt }))
  // People delete some.
  assert.ok(present.length > 5 && present.length <= exercises.length)
  for (const workout of present) {
    const exercise = exercises.find(({ from }) => from === workout.startedAt) ?? assert.fail()
    const beats = beatsOf(exercise)
    const parts = beats.map((rate) => rate / calendar.person.maximalHeartRate)
    const values = known(workout.values)
    assert.equal(values.sport_slug, exercise.sport.name)
    assert.equal(values.heart_rate_maximum, Math.max(...beats))
    const limits = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 10]
    for (const [zone, from] of limits.slice(0, 6).entries()) {
      const seconds =
        60 * parts.filter((part) => part >= from && part < Number(limits[zone + 1])).length
      assert.equal(values[`heart_rate_zone_${zone + 1}`], seconds)
    }
    isClose(values.calories, kilocaloriesOf(exercise))
    const meters = activeMinutes(calendar, exercise).reduce((sum, minute) => sum + minute.meters, 0)
    if (meters > 0) assert.ok(Math.abs(Number(values.distance_meter) - meters) < 0.001)
    else assert.equal(values.distance_meter, undefined)
  }
})

test('weight and height arrive', async () => {
  const [body, profile] = await pull('body_measurement')
  const { weightKilograms, heightMeters } = calendar.person
  assert.deepEqual(known(body?.values ?? {}), { weight_kilogram: weightKilograms })
  assert.deepEqual(known(profile?.values ?? {}), {
    height_centimeter: Math.round(heightMeters * 100),
  })
})

test('a person is known by the id that messages name, and scopes hold', async () => {
  const { tokens, grantedScopes } = await vendor.signIn('bob', ['offline', 'read:profile'])
  assert.deepEqual(grantedScopes, ['offline', 'read:profile'])
  assert.ok(tokens.refreshToken !== null)
  const id = await vendor.connector.auth.identify(vendor.fetchJson(tokens), tokens)
  assert.equal(id, vendor.emulator.accountIdOf('whoop_v2', 'bob'))
  const range = { from: SPAN.from, to: SPAN.to }
  assert.deepEqual(await failureOf(vendor.pull('cycle', tokens, range)), { kind: 'refused' })
  const online = await vendor.signIn('bob', ['read:sleep'])
  assert.equal(online.tokens.refreshToken, null)
  // Without the scope of recoveries there are sleeps all the same.
  const { summaries } = await vendor.pull('sleep', online.tokens, range)
  assert.ok(summaries.length > 20)
})

test('tokens are refreshed once each, and end when the person ends the access', async () => {
  const { tokens } = await vendor.signIn('carla')
  const refresh = (former = tokens) =>
    refreshTokens(vendor.connector, vendor.address, vendor.app, former, vendor.clock.now())
  const next = await refresh()
  assert.equal(next.expiresAt, vendor.now() + HOUR_MS)
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  assert.deepEqual(await failureOf(refresh()), ended)
  const range = { from: SPAN.from, to: SPAN.to }
  assert.deepEqual(await failureOf(vendor.pull('cycle', tokens, range)), { kind: 'unauthorized' })
  await revokeTokens(vendor.connector, vendor.address, vendor.app, next)
  assert.deepEqual(await failureOf(refresh(next)), ended)
  await revokeTokens(vendor.connector, vendor.address, vendor.app, next)
})

test('limits and errors of the vendor are understood', async () => {
  const { tokens } = await vendor.signIn('dave')
  const failure = async (kind: 'rate_limit' | 'unavailable' | 'malformed') => {
    await vendor.emulator.setFaults('whoop_v2', 'dave', [{ kind, milliseconds: 42_000 }])
    return failureOf(vendor.pull('body_measurement', tokens, { from: 0, to: vendor.now() }))
  }
  assert.deepEqual(await failure('rate_limit'), { kind: 'rate_limited', retryAfterMs: 42_000 })
  assert.deepEqual(await failure('unavailable'), { kind: 'unavailable' })
  assert.equal((await failure('malformed'))?.kind, 'unexpected')
})

test('messages lead to the records that changed, and name those that are gone', async () => {
  const account = 'emil'
  const { tokens } = await vendor.signIn(account)
  const { app, connector, emulator } = vendor
  const start = vendor.now()
  const notices = await vendor.receive(app, async (url) => {
    await vendor.connectors.enterPushAddress(connector, { kind: 'sandbox' }, app, url)
    for (let at = start - 30 * DAY_MS; at < start; at += DAY_MS / 2) {
      await emulator.push('whoop_v2', account, { from: at, to: at + DAY_MS / 2 })
    }
  })
  assert.ok(
    notices.every(({ accountId }) => accountId === emulator.accountIdOf('whoop_v2', account)),
  )
  const fetchJson = vendor.fetchJson(tokens)
  const last = new Map<string, boolean>()
  for (const { collection, record } of notices) {
    if (record !== undefined) last.set(`${collection}/${record.id}`, record.isDeleted)
  }
  const isGone = [...last.values()]
  assert.ok(isGone.includes(true) && isGone.includes(false))
  for (const [key, isDeleted] of last) {
    const [name, id = ''] = key.split('/')
    const { record, map } = connector.collections.find((one) => one.name === name) ?? {}
    assert.ok(record !== undefined && map !== undefined)
    if (isDeleted) {
      const failure = await failureOf(fetchJson(record.request(id)))
      assert.deepEqual(failure, { kind: 'unexpected', status: 404 })
      continue
    }
    const data = new PageData({ userId: 'u', provider: 'whoop_v2' })
    const answer = await fetchJson(record.request(id))
    map(record.toPage(answer), data, [], {
      range: { from: 0, to: 0 },
      cursor: null,
      context: NO_CONTEXT,
    })
    assert.deepEqual(
      data.summaries.map(({ recordId }) => recordId),
      [id],
    )
  }
  assert.ok(notices.some(({ collection }) => collection === 'cycle'))
})
