import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar, type Span } from '../../../sandbox/src/providers/people/days.ts'
import { Heart, nightSignsOn } from '../../../sandbox/src/providers/people/heart.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { STAGE_MS } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { knownSleeps } from '../../../sandbox/src/providers/whoop-v2/nights.ts'
import { failureOf, known } from './emulated-connector.ts'
import { EmulatedPassword } from './emulated-password.ts'

/** The connector of WHOOP's own interface brings what the people of the emulated vendor do. */

const vendor = new EmulatedPassword('whoop')
const ACCOUNT = 'leo+live'
const calendar = new Calendar(personOf('whoop', ACCOUNT))
/** What happened more than a day ago changes no more. */
const SPAN: Span = { from: vendor.now() - 45 * DAY_MS, to: vendor.now() - 2 * DAY_MS }

before(() => vendor.emulator.listen())
after(() => vendor.close())

async function pull() {
  const tokens = await vendor.tokensOf(ACCOUNT)
  const data = await vendor.pull('cycles', tokens, { from: SPAN.from, to: vendor.now() })
  assert.deepEqual(data.quarantined, [])
  const of = (wanted: string) =>
    new Map(
      data.summaries
        .filter(({ resource }) => resource === wanted)
        .map((one) => [one.startedAt, one]),
    )
  return { days: of('activity'), sleeps: of('sleep'), workouts: of('workouts') }
}

const isWithin = ({ from, to }: Span) => from >= SPAN.from && to <= SPAN.to
const days = () => calendar.days(SPAN)
const isClose = (actual: unknown, expected: number) =>
  assert.ok(Math.abs(Number(actual) - expected) < 1e-6 * (1 + expected), `${actual} ${expected}`)
const offsetOf = (at: number) => calendar.offsetAt(at) / 1000
const restingOn = (day: number) =>
  Math.round(calendar.person.restingHeartRate + 6 * calendar.day(day).illness)
const kilocaloriesOf = (span: Span) =>
  activeMinutes(calendar, span).reduce(
    (sum, { met, isWorn }) => sum + caloriesOf(isWorn ? met : 1, calendar.person.weightKilograms),
    0,
  )
function beatsOf(span: Span): number[] {
  const beats: number[] = []
  new Heart(calendar).each(span, MINUTE_MS, (_at, rate) => beats.push(rate))
  return beats
}
const meanOf = (beats: readonly number[]) =>
  Math.round(beats.reduce((sum, rate) => sum + rate, 0) / beats.length)

/** Numbers of the stages of a sleep, as answers of Salus have them. */
const STAGE_TYPES = { deep: 1, light: 2, rem: 3, awake: 4 } as const

test('every night and nap arrives with its stages and the recovery of the night', async () => {
  const { sleeps: stored } = await pull()
  const sleeps = days()
    .flatMap(({ number }) => knownSleeps(calendar, number, vendor.now()))
    .filter(isWithin)
  assert.ok(sleeps.length > 30)
  assert.ok(sleeps.some(({ isNap }) => isNap))
  for (const { from, to, stages, isNap, day } of sleeps) {
    const sleep = stored.get(from) ?? assert.fail(new Date(from).toISOString())
    assert.deepEqual([sleep.endedAt, sleep.timezoneOffset], [to, offsetOf(to)])
    const secondsOf = (...wanted: string[]) =>
      300 * stages.filter((stage) => wanted.includes(stage)).length
    const { score, recovery_readiness_score, hrv_mean_rmssd, stage_type, ...values } = known(
      sleep.values,
    )
    assert.ok(Number(score) > 0)
    const asleep = secondsOf('light', 'deep', 'rem')
    const signs = nightSignsOn(calendar, day)
    const recovery = {
      heart_rate_resting: restingOn(day),
      skin_temperature: Number((33.5 + signs.temperatureDeviation).toFixed(2)),
    }
    const {
      stage_start_offset_second: starts,
      stage_end_offset_second: ends,
      latency_second: latency,
      ...sums
    } = values
    assert.deepEqual(sums, {
      ...(isNap ? { type: 'acknowledged_nap' } : recovery),
      duration_second: (to - from) / 1000,
      stage_asleep_second: asleep,
      stage_awake_second: secondsOf('awake'),
      stage_light_second: secondsOf('light'),
      stage_deep_second: secondsOf('deep'),
      stage_rem_second: secondsOf('rem'),
      stage_unknown_second: 0,
      efficiency: (100 * asleep * 1000) / (to - from),
      respiratory_rate: signs.breath,
    })
    if (isNap) assert.deepEqual([recovery_readiness_score, hrv_mean_rmssd], [undefined, undefined])
    else {
      assert.ok(Number(recovery_readiness_score) > 0)
      isClose(hrv_mean_rmssd, new Heart(calendar).variabilityAt(to - 3_600_000))
    }
    const awake = stages.findIndex((stage) => stage !== 'awake')
    assert.ok(latency === undefined || latency === 300 * awake)
    const course = stages.map((_stage, position) => {
      const second = (position * STAGE_MS) / 1000
      const index = (starts as number[]).findLastIndex((start) => start <= second)
      assert.ok(second < Number((ends as number[])[index]))
      return (stage_type as number[])[index]
    })
    assert.deepEqual(
      course,
      stages.map((stage) => STAGE_TYPES[stage]),
    )
  }
  const within = [...stored.values()].filter((one) =>
    isWithin({ from: one.startedAt, to: one.endedAt }),
  )
  assert.equal(within.length, sleeps.length)
})

test('every cycle is the activity of the day on which the person woke up', async () => {
  const { days: stored } = await pull()
  let count = 0
  for (const { number, night } of days()) {
    const span = { from: night.from, to: calendar.day(number + 1).night.from }
    if (!isWithin(span) || !isWornDuring(calendar, span)) continue
    count += 1
    const cycle = stored.get(span.from) ?? assert.fail()
    assert.deepEqual([cycle.calendarDate, cycle.endedAt], [dateText(number), span.to])
    assert.equal(cycle.timezoneOffset, offsetOf(span.to))
    const { calories_total, heart_rate_resting, ...values } = known(cycle.values)
    isClose(calories_total, kilocaloriesOf(span))
    // A night without the strap has no recovery.
    assert.ok([undefined, restingOn(number)].includes(heart_rate_resting as number))
    const beats = beatsOf(span)
    assert.deepEqual(values, {
      heart_rate_mean: meanOf(beats),
      heart_rate_maximum: Math.max(...beats),
    })
  }
  assert.ok(count > 30)
})

test('every workout arrives, with its sport and zones', async () => {
  const { workouts } = await pull()
  const exercises = days()
    .flatMap((day) => day.exercises)
    .filter((exercise) => isWithin(exercise) && isWornDuring(calendar, exercise))
  const present = [...workouts.values()].filter((one) =>
    isWithin({ from: one.startedAt, to: one.endedAt }),
  )
  // People delete some.
  assert.ok(present.length > 5 && present.length <= exercises.length)
  for (const workout of present) {
    const exercise = exercises.find(({ from }) => from === workout.startedAt) ?? assert.fail()
    const beats = beatsOf(exercise)
    const values = known(workout.values)
    assert.equal(values.sport_slug, exercise.sport.name)
    assert.equal(values.heart_rate_mean, meanOf(beats))
    isClose(values.calories, kilocaloriesOf(exercise))
    const zones = [1, 2, 3, 4, 5, 6].map((zone) => Number(values[`heart_rate_zone_${zone}`]))
    assert.equal(
      zones.reduce((sum, seconds) => sum + seconds),
      60 * beats.length,
    )
    const meters = activeMinutes(calendar, exercise).reduce((sum, minute) => sum + minute.meters, 0)
    if (meters > 0) assert.ok(Math.abs(Number(values.distance_meter) - meters) < 0.001)
    else assert.equal(values.distance_meter, undefined)
  }
})

test('each password has its outcome, and an account that is locked is no wrong password', async () => {
  const refused = (reason: string) => ({ state: 'refused', reason })
  assert.deepEqual(await vendor.signIn('bob', 'expired'), refused('password_expired'))
  assert.deepEqual(await failureOf(vendor.signIn('bob', 'down')), { kind: 'unavailable' })
  for (let tries = 0; tries < 5; tries++) {
    assert.deepEqual(await vendor.signIn('bob', 'wrong'), refused('wrong_credential'))
  }
  assert.deepEqual(await vendor.signIn('bob', 'wrong'), refused('blocked'))
  assert.deepEqual(await vendor.signIn('eva', 'locked'), refused('blocked'))
  assert.deepEqual(await vendor.signIn('eva', 'consent'), refused('consent_needed'))
  assert.equal((await failureOf(vendor.signIn('eva', 'robot')))?.kind, 'blocked')
})

test('each kind of code signs in, and one of a step that is over is wrong', async () => {
  for (const [account, method, hint] of [
    ['mia', 'sms', '+•••••••0142'],
    ['mia+totp', 'totp', ''],
    ['mia+mail', 'email', 'm•••@example.com'],
  ] as const) {
    const asked = await vendor.signIn(account, 'code')
    assert.ok(asked.state === 'code_needed')
    assert.deepEqual([asked.method, asked.hint], [method, hint])
    const complete = (code: string) => vendor.completeMfa(asked.challenge, code)
    assert.deepEqual(await complete('000000'), { state: 'refused', reason: 'wrong_code' })
    const done = await complete('123456')
    assert.ok(done.state === 'signed_in')
    assert.equal(done.accountId, vendor.emulator.accountIdOf('whoop', account))
    vendor.clock.advance(180)
    assert.deepEqual(await complete('123456'), { state: 'refused', reason: 'wrong_code' })
  }
})

test('a session is refreshed with the same refresh token, and after a month by the password', async () => {
  const tokens = await vendor.tokensOf('carla')
  assert.equal(tokens.expiresAt, vendor.now() + DAY_MS)
  const next = await vendor.renew(tokens, 'carla')
  assert.equal(next.refreshToken, tokens.refreshToken)
  assert.notEqual(next.accessToken, '')
  assert.deepEqual(next.extra, tokens.extra)
  vendor.clock.advance((31 * DAY_MS) / 1000)
  const range = { from: vendor.now() - 5 * DAY_MS, to: vendor.now() }
  assert.deepEqual(await failureOf(vendor.pull('cycles', next, range)), { kind: 'unauthorized' })
  const renewed = await vendor.renew(next, 'carla')
  assert.notEqual(renewed.refreshToken, tokens.refreshToken)
  assert.ok((await vendor.pull('cycles', renewed, range)).summaries.length > 5)
  await vendor.emulator.revoke('whoop', 'carla')
  assert.deepEqual(await failureOf(vendor.renew(renewed, 'carla')), {
    kind: 'ended',
    errorType: 'provider_credential_error',
  })
})

test('limits and errors of the vendor are understood', async () => {
  const tokens = await vendor.tokensOf('dave')
  const range = { from: vendor.now() - DAY_MS, to: vendor.now() }
  const failure = async (kind: 'rate_limit' | 'unavailable' | 'malformed') => {
    await vendor.emulator.setFaults('whoop', 'dave', [{ kind, milliseconds: 42_000 }])
    return failureOf(vendor.pull('cycles', tokens, range))
  }
  assert.deepEqual(await failure('rate_limit'), { kind: 'rate_limited', retryAfterMs: 42_000 })
  assert.deepEqual(await failure('unavailable'), { kind: 'unavailable' })
  assert.equal((await failure('malformed'))?.kind, 'unexpected')
})
