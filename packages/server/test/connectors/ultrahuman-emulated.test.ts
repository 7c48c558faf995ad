import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { refreshTokens } from '@salus/health/connectors'
import { activeMinutes } from '../../../sandbox/src/providers/people/activity.ts'
import { Calendar, type Span } from '../../../sandbox/src/providers/people/days.ts'
import { glucoseValues } from '../../../sandbox/src/providers/people/glucose.ts'
import { Heart, nightSignsOn } from '../../../sandbox/src/providers/people/heart.ts'
import { dateText } from '../../../sandbox/src/providers/people/local-time.ts'
import { personOf } from '../../../sandbox/src/providers/people/person.ts'
import { type Sleep, sleepsOn } from '../../../sandbox/src/providers/people/sleep.ts'
import { isWornDuring } from '../../../sandbox/src/providers/people/states.ts'
import { skinTemperatureAt } from '../../../sandbox/src/providers/ultrahuman/records.ts'
import { EmulatedConnector, failureOf, known } from './emulated-connector.ts'

/** The connector brings what the people of the emulated Ultrahuman do. */

const SLUG = 'ultrahuman'
const vendor = new EmulatedConnector(SLUG)
const ACCOUNT = 'mia+live'
const calendar = new Calendar(personOf(SLUG, ACCOUNT))
const SPAN: Span = { from: vendor.now() - 20 * DAY_MS, to: vendor.now() - DAY_MS }
const RANGE = { from: SPAN.from - 2 * DAY_MS, to: vendor.now() }
const STEP_MS = 5 * MINUTE_MS

before(() => vendor.emulator.listen())
after(() => vendor.close())

const days = calendar.days(SPAN)
const isWithin = ({ from, to }: Span) => from >= SPAN.from && to <= SPAN.to
/** The vendor has the present zone of a user only. */
assert.ok(days.every(({ zone }) => zone === calendar.zoneAt(vendor.now())))
const offsetOf = (at: number) => calendar.offsetAt(at) / 1000

const textOf = (at: number, value: number, offset: number | null = offsetOf(at)) =>
  `${at} ${value.toFixed(6)} ${offset}`

async function pull(account = ACCOUNT) {
  const { tokens } = await vendor.signIn(account)
  return { tokens, data: await vendor.pull('metrics', tokens, RANGE) }
}

test('every value of the series arrives, in the units of Salus', async () => {
  const { data } = await pull()
  assert.deepEqual(data.quarantined, [])
  const stored = (series: string) =>
    data.samples
      .filter((one) => one.series === series && isWithin({ from: one.startedAt, to: one.endedAt }))
      .map(({ startedAt, value, timezoneOffset: offset }) => textOf(startedAt, value, offset))
  const rates: string[] = []
  const temperatures: string[] = []
  new Heart(calendar).each(SPAN, STEP_MS, (at, rate) => {
    rates.push(textOf(at, rate))
    const hasTemperature = (at / 1000) % 6000 !== 0
    const value = skinTemperatureAt(calendar, at)
    if (hasTemperature) temperatures.push(textOf(at, value))
  })
  assert.ok(rates.length > 4000)
  assert.deepEqual(stored('heartrate'), rates)
  assert.deepEqual(stored('body_temperature'), temperatures)
  const glucose = glucoseValues(calendar, SPAN)
    .filter(({ kind }) => kind === 'historic')
    .map(({ at, value }) => textOf(at, value / 18.0182))
  assert.ok(glucose.length > 1000)
  assert.deepEqual(stored('glucose'), glucose)
  assert.ok(stored('hrv').length > 1000)
  const counted = data.samples.filter(({ series }) => series === 'steps')
  assert.ok(counted.every(({ startedAt, endedAt }) => endedAt - startedAt === STEP_MS))
})

test('every day has its steps and active minutes', async () => {
  const { data } = await pull()
  for (const { number, from, to } of days.slice(0, -1)) {
    const one = data.summaries.find(
      ({ resource, recordId }) => resource === 'activity' && recordId === dateText(number),
    )
    assert.equal(one?.timezoneOffset, offsetOf(from))
    const minutes = activeMinutes(calendar, { from, to })
    const active = minutes.filter(({ met, isWorn }) => isWorn && met >= 3)
    const values = known(one?.values ?? {})
    assert.equal(values.duration_active_second, 60 * active.length)
    const samples = data.samples.filter(
      ({ series, startedAt: at }) => series === 'steps' && at >= from && at < to,
    )
    assert.equal(
      samples.reduce((sum, { value }) => sum + value, 0),
      values.steps,
    )
    // Only whole intervals in which the ring was worn from their beginning are counted.
    const steps = minutes.reduce((sum, { steps: count }) => sum + count, 0)
    assert.ok(Number(values.steps) > 0 && Number(values.steps) <= steps)
  }
})

const secondsOf = ({ stages }: Sleep, ...wanted: string[]) =>
  300 * stages.filter((stage) => wanted.includes(stage)).length
const CODES = { deep: 1, light: 2, rem: 3, awake: 4 }

test('every night arrives, with its stages and its recovery', async () => {
  const { data } = await pull()
  const stored = new Map(
    data.summaries
      .filter(({ resource }) => resource === 'sleep')
      .map((one) => [one.recordId, one] as const),
  )
  const nights = days
    .flatMap(({ number }) => sleepsOn(calendar, number))
    .filter((sleep) => sleep.kind === 'night' && isWithin(sleep) && isWornDuring(calendar, sleep))
  assert.ok(nights.length > 12)
  for (const night of nights) {
    const { from, to, day, stages } = night
    const one = stored.get(dateText(day)) ?? assert.fail()
    assert.deepEqual([one.startedAt, one.endedAt, one.timezoneOffset], [from, to, offsetOf(to)])
    const rates: number[] = []
    new Heart(calendar).each(night, STEP_MS, (_at, rate) => rates.push(rate))
    const heart = new Heart(calendar)
    const variabilities = stages.map((_, position) =>
      heart.variabilityAt(from + position * STEP_MS),
    )
    const mean = (values: readonly number[]) =>
      Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
    const asleep = secondsOf(night, 'light', 'deep', 'rem')
    const { score, recovery_readiness_score, ...values } = known(one.values)
    assert.ok(Number(score) > 0 && Number(recovery_readiness_score) > 0)
    const changes = stages.flatMap((stage, position) =>
      stages[position - 1] === stage ? [] : [{ stage, from: position * 300 }],
    )
    assert.deepEqual(values, {
      duration_second: (to - from) / 1000,
      stage_asleep_second: asleep,
      stage_awake_second: secondsOf(night, 'awake'),
      stage_light_second: secondsOf(night, 'light'),
      stage_deep_second: secondsOf(night, 'deep'),
      stage_rem_second: secondsOf(night, 'rem'),
      stage_unknown_second: 0,
      efficiency: (100 * asleep * 1000) / (to - from),
      heart_rate_minimum: Math.min(...rates),
      heart_rate_mean: mean(rates),
      heart_rate_maximum: Math.max(...rates),
      heart_rate_resting: Math.round(
        calendar.person.restingHeartRate + 6 * calendar.day(day).illness,
      ),
      hrv_mean_rmssd: mean(variabilities),
      skin_temperature_delta: nightSignsOn(calendar, day).temperatureDeviation,
      stage_type: changes.map(({ stage }) => CODES[stage]),
      stage_start_offset_second: changes.map((change) => change.from),
      stage_end_offset_second: [
        ...changes.slice(1).map((change) => change.from),
        (to - from) / 1000,
      ],
    })
  }
})

test('a user is known by their id, scopes hold, and tokens are refreshed once each', async () => {
  const { tokens } = await vendor.signIn('bob', ['profile', 'cgm_data'])
  const id = await vendor.connector.auth.identify(vendor.fetchJson(tokens), tokens)
  assert.equal(id, vendor.emulator.accountIdOf(SLUG, 'bob'))
  const { samples } = await vendor.pull('metrics', tokens, RANGE)
  assert.deepEqual([...new Set(samples.map(({ series }) => series))], ['glucose'])
  const refresh = (former = tokens) =>
    refreshTokens(vendor.connector, vendor.address, vendor.app, former, vendor.clock.now())
  const next = await refresh()
  assert.equal(next.expiresAt, vendor.now() + 86_399_000)
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  assert.deepEqual(await failureOf(refresh()), ended)
  await vendor.emulator.revoke(SLUG, 'bob')
  assert.deepEqual(await failureOf(refresh(next)), ended)
  const pulled = vendor.pull('metrics', next, RANGE)
  assert.deepEqual(await failureOf(pulled), { kind: 'unauthorized' })
})

test('limits and errors of the vendor are understood', async () => {
  const { tokens } = await vendor.signIn('dave')
  const failure = async (kind: 'rate_limit' | 'unavailable' | 'malformed') => {
    await vendor.emulator.setFaults(SLUG, 'dave', [{ kind, milliseconds: 42_000 }])
    return failureOf(vendor.pull('metrics', tokens, RANGE))
  }
  assert.deepEqual(await failure('rate_limit'), { kind: 'rate_limited', retryAfterMs: 42_000 })
  assert.deepEqual(await failure('unavailable'), { kind: 'unavailable' })
  assert.equal((await failure('malformed'))?.kind, 'unexpected')
})
