import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import {
  createSend,
  PageData,
  refreshTokens,
  revokeTokens,
  type VendorApp,
  type VendorTokens,
} from '@salus/health/connectors'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar, type Span } from '../../../sandbox/src/providers/people/days.ts'
import { Heart, nightSignsOn } from '../../../sandbox/src/providers/people/heart.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { type Sleep, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { secondOf } from '../../../sandbox/src/providers/polar/records.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'
import { NO_CONTEXT } from './no-context.ts'

/** The connector brings what the people of the emulated Polar do. */

const vendor = new EmulatedConnector('polar')
const { connector, emulator } = vendor
const { auth } = connector
const ACCOUNT = 'mia+live'
const calendar = new Calendar(personOf('polar', ACCOUNT))
const SPAN: Span = { from: vendor.now() - 26 * DAY_MS, to: vendor.now() - DAY_MS }
const RANGE = { from: SPAN.from - 2 * DAY_MS, to: vendor.now() }
const STEP_MS = 5 * MINUTE_MS

before(() => emulator.listen())
after(() => vendor.close())

const send = (tokens: VendorTokens) => (request: Parameters<ReturnType<typeof createSend>>[0]) =>
  createSend(vendor.address)({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${tokens.accessToken}` },
  })

async function signIn(account: string): Promise<VendorTokens> {
  const { tokens } = await vendor.signIn(account)
  await auth.completeSignIn?.(send(tokens), tokens, vendor.app)
  return tokens
}

/** Of a user who was registered long ago. */
async function pull(name: string) {
  await emulator.grant('polar', ACCOUNT, auth.scopes)
  const data = await vendor.pull(name, await signIn(ACCOUNT), RANGE)
  assert.deepEqual(data.quarantined, [])
  return data
}

const days = calendar.days(SPAN)
assert.ok(new Set(days.map(({ zone }) => zone)).size === 1, 'the person is at home')
const isWithin = ({ from, to }: Span) => from >= SPAN.from && to <= SPAN.to
const offsetOf = (at: number) => calendar.offsetAt(at) / 1000
const nights = days
  .flatMap(({ number }) => sleepsOn(calendar, number))
  .filter((sleep) => sleep.kind === 'night' && isWornDuring(calendar, sleep))

test('every exercise arrives, with its samples and its route', async () => {
  const { summaries, streams, toArrivedData: _, ...data } = await pull('exercises')
  const exercises = days
    .flatMap((day) => day.exercises)
    .filter((exercise) => isWithin(exercise) && isWornDuring(calendar, exercise))
  assert.ok(exercises.length > 4)
  const stored = new Map(summaries.map((one, index) => [one.startedAt, { one, index }]))
  const ids = [...streams.keys()]
  for (const exercise of exercises) {
    const { one, index } = stored.get(exercise.from) ?? assert.fail()
    const stream = streams.get(ids[index] ?? '') ?? assert.fail()
    assert.deepEqual([one.endedAt, one.timezoneOffset], [exercise.to, offsetOf(exercise.from)])
    const minutes = activeMinutes(calendar, exercise)
    const meters = minutes.reduce((sum, minute) => sum + minute.meters, 0)
    const { weightKilograms } = calendar.person
    const calories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
    const beats = new Map<number, number>()
    new Heart(calendar).each(exercise, 5000, (at, rate) => beats.set(at / 1000, rate))
    const rates = [...beats.values()]
    const values = known(one.values)
    assert.equal(values.sport_slug, SLUGS[exercise.sport.name])
    assert.equal(values.calories, Math.round(calories))
    assert.equal(values.distance_meter, meters > 0 ? Number(meters.toFixed(1)) : undefined)
    assert.deepEqual(
      [values.heart_rate_minimum, values.heart_rate_maximum],
      [Math.min(...rates), Math.max(...rates)],
    )
    for (const [position, second] of stream.time.entries()) {
      assert.equal(stream.heartrate?.[position] ?? undefined, beats.get(second))
    }
    const speeds = (stream.velocity_smooth ?? []).filter((speed) => speed !== null)
    const expected = meters > 0 ? minutes.map((minute) => minute.meters / 60) : []
    assert.equal(speeds.length, expected.length)
    for (const [minute, speed] of speeds.entries()) {
      assert.ok(Math.abs(speed - Number(expected[minute])) < 0.005)
    }
  }
  assert.equal(data.samples.length, 0)
})

const SLUGS: Readonly<Record<string, string>> = {
  running: 'running',
  cycling: 'road_biking',
  walking: 'walking',
  strength_training: 'strength_training',
  swimming: 'pool_swimming',
  yoga: 'yoga',
}

const secondsOf = ({ stages }: Sleep, ...wanted: string[]) =>
  300 * stages.filter((stage) => wanted.includes(stage)).length
const CODES = { deep: 1, light: 2, rem: 3, awake: 4 }

test('every night arrives, with its stages, heart rates and recharge', async () => {
  const { summaries } = await pull('sleep')
  const stored = new Map(summaries.map((one) => [one.recordId, one]))
  assert.ok(nights.length > 15)
  for (const night of nights) {
    const { from, to, day, stages } = night
    const one = stored.get(dateText(day)) ?? assert.fail()
    assert.deepEqual([one.startedAt, one.endedAt], [from, to])
    assert.deepEqual([one.calendarDate, one.timezoneOffset], [dateText(day), offsetOf(to)])
    const rates: number[] = []
    new Heart(calendar).each(night, STEP_MS, (_at, rate) => rates.push(rate))
    const asleep = secondsOf(night, 'light', 'deep', 'rem')
    const values = known(one.values)
    const {
      score,
      hrv_mean_rmssd,
      stage_type,
      stage_start_offset_second,
      stage_end_offset_second,
      ...rest
    } = values
    assert.ok(Number(score) > 0 && Number(hrv_mean_rmssd) > 0)
    assert.deepEqual(rest, {
      duration_second: (to - from) / 1000,
      stage_asleep_second: asleep,
      stage_awake_second: secondsOf(night, 'awake'),
      stage_light_second: secondsOf(night, 'light'),
      stage_deep_second: secondsOf(night, 'deep'),
      stage_rem_second: secondsOf(night, 'rem'),
      stage_unknown_second: 0,
      efficiency: (100 * asleep * 1000) / (to - from),
      heart_rate_minimum: Math.min(...rates),
      heart_rate_mean: Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length),
      heart_rate_maximum: Math.max(...rates),
      respiratory_rate: Number(nightSignsOn(calendar, day).breath.toFixed(1)),
    })
    const changes = stages.flatMap((stage, position) =>
      stages[position - 1] === stage ? [] : [{ stage, at: from + position * STEP_MS }],
    )
    assert.deepEqual(
      stage_type,
      changes.map(({ stage }) => CODES[stage]),
    )
    // The vendor rounds times of stages down to minutes.
    const starts = changes.map(({ at }) => Math.floor(at / MINUTE_MS) * 60 - from / 1000)
    assert.deepEqual(
      stage_start_offset_second,
      starts.map((start) => Math.max(0, start)),
    )
    assert.deepEqual(stage_end_offset_second, [...starts.slice(1), (to - from) / 1000])
  }
})

test('every heart rate arrives once, though nights have theirs twice', async () => {
  const stored = [
    ...(await pull('sleep')).samples,
    ...(await pull('continuous_heart_rate')).samples,
  ]
  const isOfNight = (at: number) => nights.some(({ from, to }) => at >= from && at < to)
  const expected: string[] = []
  new Heart(calendar).each(SPAN, STEP_MS, (at, rate, context) => {
    const time = isOfNight(at) ? at : at + secondOf(calendar) * 1000
    if (context !== 'workout') expected.push(`${time} ${rate} ${offsetOf(at)}`)
  })
  assert.ok(expected.length > 5000)
  const inSpan = stored
    .filter(({ startedAt: at }) => isWithin({ from: at - (at % STEP_MS), to: at }))
    .map(({ startedAt, value, timezoneOffset }) => `${startedAt} ${value} ${timezoneOffset}`)
  // Requests overlap, and the same rate is stored once.
  assert.deepEqual([...new Set(inSpan)].sort(), expected.sort())
})

test('every day of activity arrives, with its intensities', async () => {
  const { summaries } = await pull('activities')
  const stored = new Map(summaries.map((one) => [one.recordId, one]))
  const { weightKilograms: weight } = calendar.person
  for (const { number, from, to } of days.slice(0, -1)) {
    const one = stored.get(dateText(number)) ?? assert.fail()
    assert.deepEqual([one.calendarDate, one.timezoneOffset], [dateText(number), offsetOf(to)])
    const minutes = activeMinutes(calendar, { from, to })
    const worn = minutes.filter(({ isWorn }) => isWorn)
    const secondsFrom = (least: number, most: number) =>
      60 * minutes.filter(({ met }) => met >= least && met < most).length
    const active = (met: number) => caloriesOf(Math.max(0, met - 1.2), weight)
    assert.deepEqual(known(one.values), {
      calories_total: Math.round(
        minutes.reduce((sum, { met }) => sum + caloriesOf(met, weight), 0),
      ),
      calories_active: Math.round(worn.reduce((sum, { met }) => sum + active(met), 0)),
      steps: worn.reduce((sum, { steps }) => sum + steps, 0),
      distance_meter: Number(worn.reduce((sum, { meters }) => sum + meters, 0).toFixed(2)),
      duration_active_second: secondsFrom(1.6, 100),
      intensity_sedentary_second: secondsFrom(1, 1.6),
      intensity_low_second: secondsFrom(1.6, 3),
      intensity_medium_second: secondsFrom(3, 6),
      intensity_high_second: secondsFrom(6, 100),
    })
  }
})

test('the profile arrives', async () => {
  const [profile] = (await pull('physical_info')).summaries
  const { age, heightMeters, sex } = calendar.person
  assert.deepEqual(known(profile?.values ?? {}), {
    height_centimeter: Math.round(heightMeters * 100),
    birth_date: `${2025 - age}-04-12`,
    sex,
  })
})

test('a user has to be registered, and is served what came later', async () => {
  const { tokens } = await vendor.signIn('bob+live')
  assert.equal(tokens.refreshToken, null)
  const id = await auth.identify(vendor.fetchJson(tokens), tokens)
  assert.equal(id, emulator.accountIdOf('polar', 'bob+live'))
  assert.deepEqual(await failureOf(vendor.pull('sleep', tokens, RANGE)), { kind: 'refused' })
  await signIn('bob+live')
  assert.ok((await vendor.pull('sleep', tokens, RANGE)).summaries.length > 15)
  assert.deepEqual((await vendor.pull('exercises', tokens, RANGE)).summaries, [])
})

test('there are no refreshes, and the vendor has its own way to end a grant', async () => {
  const tokens = await signIn('carla')
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  const refresh = refreshTokens(connector, vendor.address, vendor.app, tokens, vendor.clock.now())
  assert.deepEqual(await failureOf(refresh), ended)
  await revokeTokens(connector, vendor.address, vendor.app, tokens)
  assert.deepEqual(await failureOf(vendor.pull('sleep', tokens, RANGE)), { kind: 'unauthorized' })
  await revokeTokens(connector, vendor.address, vendor.app, tokens)
})

test('limits and errors of the vendor are understood', async () => {
  const tokens = await signIn('dave')
  const failure = async (kind: 'rate_limit' | 'unavailable' | 'malformed') => {
    await emulator.setFaults('polar', 'dave', [{ kind, milliseconds: 42_000 }])
    return failureOf(vendor.pull('physical_info', tokens, RANGE))
  }
  assert.deepEqual(await failure('rate_limit'), { kind: 'rate_limited', retryAfterMs: 42_000 })
  assert.deepEqual(await failure('unavailable'), { kind: 'unavailable' })
  assert.equal((await failure('malformed'))?.kind, 'unexpected')
})

test('messages are subscribed to once, signed with their own key, and lead to what is new', async () => {
  const account = 'emil+live'
  await emulator.grant('polar', account, auth.scopes)
  const tokens = await signIn(account)
  let app: VendorApp = vendor.app
  const subscribe = async (url: string) => {
    const secrets = await connector.push?.subscribe?.(
      createSend(vendor.address),
      app,
      url,
      vendor.clock.now(),
    )
    if (secrets !== undefined) app = { ...app, secrets }
    return secrets !== undefined
  }
  const start = vendor.now()
  const notices = await vendor.receive(
    () => app,
    async (url) => {
      assert.equal(await subscribe(`${url}/elsewhere`), true)
      assert.equal(await subscribe(url), false)
      // Without its key the webhook is made anew.
      app = vendor.app
      assert.equal(await subscribe(url), true)
      assert.equal(await subscribe(url), false)
      for (let at = start - 14 * DAY_MS; at < start; at += DAY_MS / 2) {
        await emulator.push('polar', account, { from: at, to: at + DAY_MS / 2 })
      }
    },
  )
  const accountId = emulator.accountIdOf('polar', account)
  assert.ok(notices.every((notice) => notice.accountId === accountId))
  assert.deepEqual([...new Set(notices.map(({ collection }) => collection))].sort(), [
    'activities',
    'continuous_heart_rate',
    'exercises',
    'sleep',
  ])
  const { record, map } = connector.collections.find(({ name }) => name === 'exercises') ?? {}
  assert.ok(record !== undefined && map !== undefined)
  for (const { record: changed } of notices.filter((notice) => notice.record !== undefined)) {
    const id = changed?.id ?? ''
    const data = new PageData({ userId: 'u', provider: 'polar' })
    const answer = await vendor.fetchJson(tokens)(record.request(id))
    map(record.toPage(answer), data, [], { range: RANGE, cursor: null, context: NO_CONTEXT })
    assert.deepEqual(
      data.summaries.map(({ recordId }) => recordId),
      [id],
    )
  }
})
