import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { PageData, refreshTokens, revokeTokens, type VendorTokens } from '@salus/health/connectors'
import { SAMPLE_MS } from '../../../sandbox/src/providers/garmin/activities.ts'
import { stressAt } from '../../../sandbox/src/providers/garmin/wellness.ts'
import { activeMinutes, caloriesOf } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar, type Span } from '../../../sandbox/src/providers/people/days.ts'
import { Heart, nightSignsOn } from '../../../sandbox/src/providers/people/heart.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { STAGE_MS, secondsIn, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring, StateWalk } from '../../../sandbox/src/providers/people/states.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'
import { NO_CONTEXT } from './no-context.ts'

/** The connector brings what the people of the emulated vendor do; all of it comes in messages. */

const vendor = new EmulatedConnector('garmin')
const ACCOUNT = 'mia+live'
const PERMISSIONS = ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'MCT_EXPORT', 'HISTORICAL_DATA_EXPORT']
const calendar = new Calendar(personOf('garmin', ACCOUNT))
const LAST = calendar.dayAt(vendor.now()).number - 2
const FIRST = LAST - 27
const SPAN: Span = { from: calendar.day(FIRST).from, to: calendar.day(LAST).to }
const days = () => Array.from({ length: 28 }, (_, index) => calendar.day(FIRST + index))

let tokens: VendorTokens
const stored = new Map<string, PageData>()
const dataOf = (name: string): PageData => stored.get(name) ?? assert.fail(name)

/** Maps the pages of messages, as the service does. */
async function collect(name: string, work: () => Promise<unknown>): Promise<PageData> {
  const collection = vendor.connector.collections.find((one) => one.name === name)
  const data = new PageData({ userId: 'u', provider: 'garmin' })
  const notices = await vendor.receive(vendor.app, async (url) => {
    await vendor.connectors.enterPushAddress(vendor.connector, { kind: 'sandbox' }, vendor.app, url)
    await work()
  })
  for (const { accountId, collection: about, page } of notices) {
    assert.equal(accountId, vendor.emulator.accountIdOf('garmin', ACCOUNT))
    if (about !== name) continue
    collection?.map(page, data, [], {
      range: { from: 0, to: 0 },
      cursor: null,
      context: NO_CONTEXT,
    })
  }
  assert.deepEqual(data.quarantined, [])
  return data
}

before(async () => {
  await vendor.emulator.listen()
  tokens = (await vendor.signIn(ACCOUNT, PERMISSIONS)).tokens
  const fetchJson = vendor.fetchJson(tokens)
  for (const { name, page } of vendor.connector.collections) {
    stored.set(name, await collect(name, () => fetchJson(page(SPAN, null, NO_CONTEXT))))
  }
})
after(() => vendor.close())

const samplesOf = (name: string, series: string) =>
  dataOf(name).samples.filter((sample) => sample.series === series)
const offsetAt = (at: number) => calendar.offsetAt(at) / 1000

/** Returns the instants of a span at which the watch was worn. */
function wornAt({ from, to }: Span, stepMs: number): number[] {
  const walk = new StateWalk(calendar, from)
  const instants: number[] = []
  for (let at = from; at < to; at += stepMs) {
    walk.stateAt(at)
    if (walk.isWornAt(at)) instants.push(at)
  }
  return instants
}

const pairs = (samples: readonly { startedAt: number; value: number }[]) =>
  new Map(samples.map(({ startedAt, value }) => [startedAt, value]))

test('every heart rate of the days arrives', () => {
  const expected = new Map<number, number>()
  new Heart(calendar).each(SPAN, MINUTE_MS, (at, rate) => expected.set(at, rate))
  assert.ok(expected.size > 30_000)
  assert.deepEqual(pairs(samplesOf('dailies', 'heartrate')), expected)
})

test('every day has its sums', () => {
  const activities = new Map(dataOf('dailies').summaries.map((one) => [one.recordId, one]))
  assert.equal(activities.size, 28)
  for (const day of days()) {
    const one = activities.get(dateText(day.number)) ?? assert.fail()
    const minutes = activeMinutes(calendar, day).filter(({ isWorn }) => isWorn)
    const { steps, distance_meter, calories_total, calories_active } = known(one.values)
    const { weightKilograms } = calendar.person
    const basal = (caloriesOf(1, weightKilograms) * (day.to - day.from)) / MINUTE_MS
    const active = minutes.reduce(
      (sum, { met }) => sum + caloriesOf(Math.max(0, met - 1), weightKilograms),
      0,
    )
    assert.equal(
      steps,
      minutes.reduce((sum, minute) => sum + minute.steps, 0),
    )
    const meters = minutes.reduce((sum, minute) => sum + minute.meters, 0)
    assert.ok(Math.abs(Number(distance_meter) - meters) <= 0.05)
    assert.ok(Math.abs(Number(calories_active) - active) <= 0.5)
    assert.ok(Math.abs(Number(calories_total) - active - basal) <= 1)
    assert.equal(one.timezoneOffset, offsetAt(day.from))
  }
})

test('quarters of an hour add up to what the person moved', () => {
  const byQuarter = Map.groupBy(
    activeMinutes(calendar, SPAN).filter(({ isWorn }) => isWorn),
    ({ at }) => at - (at % (15 * MINUTE_MS)),
  )
  /** Kinds of movement begin within a second. */
  const sums = (series: string): Map<number, number> => {
    const byStart = Map.groupBy(
      samplesOf('epochs', series),
      ({ startedAt }) => startedAt - (startedAt % 1000),
    )
    const entries = [...byStart].map(([at, own]): [number, number] => [
      at,
      own.reduce((sum, { value }) => sum + value, 0),
    ])
    return new Map(entries)
  }
  const [steps, meters, energy] = [sums('steps'), sums('distance'), sums('calories_active')]
  assert.deepEqual([...steps.keys()].sort(), [...byQuarter.keys()].sort())
  for (const [at, minutes] of byQuarter) {
    assert.equal(
      steps.get(at),
      minutes.reduce((sum, minute) => sum + minute.steps, 0),
    )
    const distance = minutes.reduce((sum, minute) => sum + minute.meters, 0)
    // Each of the four kinds is rounded.
    assert.ok(Math.abs((meters.get(at) ?? -1) - distance) <= 0.02)
    const active = minutes.reduce(
      (sum, { met }) => sum + caloriesOf(Math.max(0, met - 1), calendar.person.weightKilograms),
      0,
    )
    assert.ok(Math.abs((energy.get(at) ?? -10) - active) <= 2)
  }
})

const sleeps = () =>
  days().flatMap(({ number }) =>
    sleepsOn(calendar, number).filter((sleep) => isWornDuring(calendar, sleep)),
  )
const nights = () => sleeps().filter(({ kind }) => kind === 'night')

test('every night and nap arrives with its stages, on the day of waking up', () => {
  const { summaries } = dataOf('sleeps')
  assert.equal(summaries.length, sleeps().length)
  assert.ok(sleeps().length > nights().length, 'the person naps')
  const byStart = new Map(summaries.map((one) => [one.startedAt, one]))
  for (const sleep of sleeps()) {
    const one = byStart.get(sleep.from) ?? assert.fail(new Date(sleep.from).toISOString())
    assert.deepEqual([one.endedAt, one.timezoneOffset], [sleep.to, offsetAt(sleep.from)])
    const values = known(one.values)
    assert.equal(values.state, 'confirmed')
    if (sleep.kind === 'nap') {
      assert.equal(values.type, 'acknowledged_nap')
      continue
    }
    assert.equal(one.calendarDate, dateText(sleep.day))
    assert.equal(values.respiratory_rate, nightSignsOn(calendar, sleep.day).breath)
    for (const stage of ['deep', 'light', 'rem', 'awake'] as const) {
      assert.equal(values[`stage_${stage}_second`], secondsIn(sleep, stage))
    }
    const types = { deep: 1, light: 2, rem: 3, awake: 4 }
    const cycle = sleep.stages.map((stage) => types[stage])
    const { stage_type, stage_start_offset_second: from, stage_end_offset_second: to } = values
    const spread = (stage_type as number[]).flatMap((type, index) => {
      const seconds = ((to as number[])[index] ?? 0) - ((from as number[])[index] ?? 0)
      return new Array<number>((seconds * 1000) / STAGE_MS).fill(type)
    })
    assert.deepEqual(spread, cycle)
  }
})

test('the signs of the nights arrive', () => {
  const heart = new Heart(calendar)
  const [variability, oxygen] = [new Map<number, number>(), new Map<number, number>()]
  for (const night of nights()) {
    for (let at = night.from; at < night.to; at += STAGE_MS) {
      variability.set(at, heart.variabilityAt(at))
      oxygen.set(at, Math.round(nightSignsOn(calendar, night.day).oxygen))
    }
  }
  assert.deepEqual(pairs(samplesOf('hrv', 'hrv')), variability)
  assert.deepEqual(pairs(samplesOf('pulseox', 'blood_oxygen')), oxygen)
  assert.deepEqual(
    samplesOf('skinTemp', 'body_temperature_delta').map(({ startedAt, endedAt, value }) => [
      startedAt,
      endedAt,
      value,
    ]),
    nights().map(({ from, to, day }) => [
      from,
      to,
      nightSignsOn(calendar, day).temperatureDeviation,
    ]),
  )
})

test('breaths and stress arrive while the watch is worn, and stress not in exercise', () => {
  const breaths = days().flatMap((day) =>
    wornAt(day, 2 * MINUTE_MS).map(
      (at) => [at, nightSignsOn(calendar, day.number).breath] as const,
    ),
  )
  assert.deepEqual(pairs(samplesOf('allDayRespiration', 'respiratory_rate')), new Map(breaths))
  const exercises = days().flatMap((day) => day.exercises)
  const isResting = (at: number) => exercises.every(({ from, to }) => at < from || at >= to)
  const levels = days().flatMap((day) => wornAt(day, 3 * MINUTE_MS).filter(isResting))
  assert.deepEqual(
    pairs(samplesOf('stressDetails', 'stress_level')),
    new Map(levels.map((at) => [at, stressAt(calendar, at)])),
  )
})

test('every exercise is a workout, with and without its stream', () => {
  const exercises = days()
    .flatMap((day) => day.exercises)
    .filter((exercise) => isWornDuring(calendar, exercise))
  assert.ok(exercises.length > 3)
  for (const name of ['activities', 'activityDetails']) {
    assert.deepEqual(
      dataOf(name).summaries.map(({ startedAt, endedAt }) => [startedAt, endedAt]),
      exercises.map(({ from, to }) => [from, to]),
    )
  }
  const [plain, detailed] = [dataOf('activities').summaries, dataOf('activityDetails').summaries]
  assert.deepEqual(
    plain.map(({ recordId }) => recordId),
    detailed.map(({ recordId }) => recordId),
  )
  const streams = [...dataOf('activityDetails').streams.values()]
  for (const [index, exercise] of exercises.entries()) {
    const rates: [number, number][] = []
    new Heart(calendar).each(exercise, SAMPLE_MS, (at, rate) => rates.push([at / 1000, rate]))
    const { time = [], heartrate = [] } = streams[index] ?? {}
    assert.deepEqual(
      time.map((second, position) => [second, heartrate[position]]),
      rates,
    )
  }
})

test('measurements of the morning arrive in the units of Salus', () => {
  const { weightKilograms } = calendar.person
  const bodies = dataOf('bodyComps').summaries
  assert.ok(bodies.length > 5)
  for (const { values } of bodies) {
    const { weight_kilogram } = known(values)
    assert.ok(Math.abs(Number(weight_kilogram) - weightKilograms) < 1.1)
  }
  assert.ok(samplesOf('bloodPressures', 'blood_pressure').length > 3)
  const pulses = samplesOf('bloodPressures', 'heartrate').map(({ value }) => value)
  assert.ok(pulses.every((value) => value === calendar.person.restingHeartRate + 6))
  assert.equal(samplesOf('userMetrics', 'vo2_max').length, 4)
  assert.equal(calendar.person.sex, 'female')
  for (const { values } of dataOf('mct').summaries) {
    const { period_start, period_end } = known(values)
    const start = Date.parse(String(period_start))
    if (period_end !== undefined) {
      assert.equal(Date.parse(String(period_end)), start + 4 * DAY_MS)
    }
  }
})

test('messages bring what is new; the end of an access is read', async () => {
  const span = { from: vendor.now() - DAY_MS, to: vendor.now() }
  const data = await collect('sleeps', () => vendor.emulator.push('garmin', ACCOUNT, span))
  assert.ok(data.summaries.length > 0)
  const notices = await vendor.receive(vendor.app, async (url) => {
    await vendor.connectors.enterPushAddress(vendor.connector, { kind: 'sandbox' }, vendor.app, url)
    await vendor.emulator.revoke('garmin', ACCOUNT)
  })
  const accountId = vendor.emulator.accountIdOf('garmin', ACCOUNT)
  assert.deepEqual(notices, [{ accountId, collection: null, range: null }])
})

test('a user is known by the id of messages; limits, refusals and ended access are understood', async () => {
  const { connector, address, app } = vendor
  const own = (await vendor.signIn('nora', ['HEALTH_EXPORT'])).tokens
  const fetchJson = vendor.fetchJson(own)
  const accountId = vendor.emulator.accountIdOf('garmin', 'nora')
  assert.equal(await connector.auth.identify(fetchJson, own), accountId)
  const request = (name: string) => {
    const collection = connector.collections.find((one) => one.name === name)
    return fetchJson(collection?.page(SPAN, null, NO_CONTEXT) ?? assert.fail())
  }
  assert.deepEqual(await failureOf(request('activities')), { kind: 'refused' })
  const fail = (kind: 'rate_limit' | 'unavailable') =>
    vendor.emulator.setFaults('garmin', 'nora', [{ kind, times: 1, milliseconds: 7000 }])
  await fail('rate_limit')
  assert.deepEqual(await failureOf(connector.auth.identify(fetchJson, own)), {
    kind: 'rate_limited',
    retryAfterMs: 7000,
  })
  await fail('unavailable')
  assert.equal((await failureOf(connector.auth.identify(fetchJson, own)))?.kind, 'unavailable')
  await vendor.emulator.expire('garmin', 'nora')
  assert.equal((await failureOf(connector.auth.identify(fetchJson, own)))?.kind, 'unauthorized')
  vendor.clock.advance(1000)
  const next = await refreshTokens(connector, address, app, own, vendor.clock.now())
  assert.equal(next.expiresAt, vendor.now() + DAY_MS)
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  const refresh = (wanted: VendorTokens) =>
    failureOf(refreshTokens(connector, address, app, wanted, vendor.clock.now()))
  assert.deepEqual(await refresh(own), ended)
  await revokeTokens(connector, address, app, next)
  assert.deepEqual(await refresh(next), ended)
})
