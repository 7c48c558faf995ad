import { MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes } from '../people/activity.ts'
import type { Calendar, Span } from '../people/days.ts'
import { glucoseValues } from '../people/glucose.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { midnightOf } from '../people/local-time.ts'
import { deriveSeed, normalAt, smoothAt } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, secondsIn, sleepsOn } from '../people/sleep.ts'
import { isWornDuring, StateWalk } from '../people/states.ts'
import { RING_SYNC, syncedUntil } from '../people/sync.ts'

/** Metrics of a day as the Ultrahuman Partner API has them, each a function of the person. */

const STEP_MS = 5 * MINUTE_MS

interface Value {
  timestamp: number
  value: number | null
}

export interface Entry {
  type: string
  object: Record<string, unknown>
}

const secondOf = (at: number): number => at / 1000

/** Returns a day in the present zone of a person, which is the vendor's zone also for the past. */
export function dayIn(calendar: Calendar, day: number, now: number): Span {
  const zone = calendar.zoneAt(now)
  return { from: midnightOf(zone, day), to: midnightOf(zone, day + 1) }
}

/** Temperature of the skin of a finger. */
export function skinTemperatureAt(calendar: Calendar, at: number): number {
  const { seed } = calendar.person
  const { number } = calendar.dayAt(at)
  const own = 33.6 + 1.2 * smoothAt(deriveSeed(seed, 880), at / (90 * MINUTE_MS))
  return Number((own + nightSignsOn(calendar, number).temperatureDeviation).toFixed(2))
}

function heartRatesOf(calendar: Calendar, span: Span): Value[] {
  const values: Value[] = []
  new Heart(calendar).each(span, STEP_MS, (at, value) => {
    values.push({ timestamp: secondOf(at), value })
  })
  return values
}

/** The ring has one in five minutes while it is worn; it measures none of every 20th. */
function temperaturesOf(calendar: Calendar, span: Span): Value[] {
  return heartRatesOf(calendar, span).map(({ timestamp }) => ({
    timestamp,
    value: timestamp % 6000 === 0 ? null : skinTemperatureAt(calendar, timestamp * 1000),
  }))
}

/** Counts of five minutes in which the ring was worn. */
function stepsOf(calendar: Calendar, { from, to }: Span): { timestamp: number; value: number }[] {
  const first = Math.ceil(from / STEP_MS) * STEP_MS
  const values: { timestamp: number; value: number }[] = []
  if (first >= to) return values
  const walk = new StateWalk(calendar, first)
  for (let at = first; at + STEP_MS <= to; at += STEP_MS) {
    walk.stateAt(at)
    if (!walk.isWornAt(at)) continue
    const minutes = activeMinutes(calendar, { from: at, to: at + STEP_MS })
    const value = minutes.reduce((sum, { steps, isWorn }) => sum + (isWorn ? steps : 0), 0)
    values.push({ timestamp: secondOf(at), value })
  }
  return values
}

const TYPES: Readonly<Record<Stage, string>> = {
  deep: 'deep_sleep',
  light: 'light_sleep',
  rem: 'rem_sleep',
  awake: 'awake',
}

/** Returns the night that ended in a span, if the ring recorded it. */
export function nightIn(calendar: Calendar, span: Span): Sleep | undefined {
  return calendar
    .days({ from: span.from, to: span.to + 1 })
    .flatMap(({ number }) => sleepsOn(calendar, number))
    .find(
      (sleep) =>
        sleep.kind === 'night' &&
        sleep.to > span.from &&
        sleep.to <= span.to &&
        isWornDuring(calendar, sleep),
    )
}

function variabilitiesOf(calendar: Calendar, sleep: Sleep): { timestamp: number; value: number }[] {
  const heart = new Heart(calendar)
  return sleep.stages.map((_stage, position) => {
    const at = sleep.from + position * STAGE_MS
    return { timestamp: secondOf(at), value: heart.variabilityAt(at) }
  })
}

function nightObject(calendar: Calendar, sleep: Sleep): Record<string, unknown> {
  const { from, to, stages, day } = sleep
  const graph: { start: number; end: number; type: string }[] = []
  for (const [position, stage] of stages.entries()) {
    const end = secondOf(from + (position + 1) * STAGE_MS)
    const last = graph.at(-1)
    if (last?.type === TYPES[stage]) last.end = end
    else graph.push({ start: end - STAGE_MS / 1000, end, type: TYPES[stage] })
  }
  const inBed = (to - from) / 1000
  const asleep = inBed - secondsIn(sleep, 'awake')
  const score = 80 + 8 * normalAt(deriveSeed(calendar.person.seed, 881), day)
  return {
    bedtime_start: secondOf(from),
    bedtime_end: secondOf(to),
    quick_metrics: [
      { title: 'Time in bed', type: 'time_in_bed', value: inBed },
      { title: 'Efficiency', type: 'sleep_efic', value: Math.round((100 * asleep) / inBed) },
    ],
    quick_metrics_tiled: [],
    sleep_stages: (['deep', 'light', 'rem', 'awake'] as const).map((stage) => ({
      title: stage,
      type: TYPES[stage],
      percentage: Math.round((100 * secondsIn(sleep, stage)) / inBed),
      stage_time: secondsIn(sleep, stage),
    })),
    sleep_graph: { title: 'Sleep stages', data: graph },
    movement_graph: { title: 'Movements', data: [] },
    hr_graph: { title: 'Heart rate', data: heartRatesOf(calendar, sleep) },
    hrv_graph: { title: 'HRV', data: variabilitiesOf(calendar, sleep) },
    sleep_score: { score: Math.round(Math.min(Math.max(score, 1), 100)) },
    total_sleep: { minutes: Math.round(asleep / 60), seconds: asleep },
    temperature_deviation: { celsius: nightSignsOn(calendar, day).temperatureDeviation },
  }
}

/** Returns the metrics of a day, as far as the ring uploaded them. */
export function metricsOf(
  calendar: Calendar,
  day: number,
  now: number,
  scopes: readonly string[],
): Entry[] {
  const whole = dayIn(calendar, day, now)
  const until = syncedUntil(calendar, now, RING_SYNC)
  const span = { from: whole.from, to: Math.min(whole.to, until) }
  if (span.to <= span.from) return []
  const start = { day_start_timestamp: secondOf(whole.from) }
  const series = (type: string, unit: string, values: Value[]): Entry => ({
    type,
    object: { ...start, title: type, unit, last_reading: values.at(-1)?.value ?? 0, values },
  })
  const single = (type: string, value: number): Entry => ({
    type,
    object: { ...start, title: type, value },
  })
  const glucose = glucoseValues(calendar, span)
    .filter(({ kind }) => kind === 'historic')
    .map(({ at, value }) => ({ timestamp: secondOf(at), value }))
  const sensor = scopes.includes('cgm_data') ? [series('glucose', 'mg/dL', glucose)] : []
  if (!scopes.includes('ring_data')) return sensor
  const night = nightIn(calendar, span)
  const variabilities = night === undefined ? [] : variabilitiesOf(calendar, night)
  const steps = stepsOf(calendar, span)
  const active = activeMinutes(calendar, span).filter(({ met, isWorn }) => isWorn && met >= 3)
  return [
    series('hr', 'BPM', heartRatesOf(calendar, span)),
    series('hrv', 'ms', variabilities),
    series('temp', '°C', temperaturesOf(calendar, span)),
    {
      type: 'steps',
      object: {
        ...start,
        values: steps,
        subtitle: 'Average',
        total: steps.reduce((sum, { value }) => sum + value, 0),
        avg: 0,
      },
    },
    single('active_minutes', active.length),
    single('vo2_max', 44),
    ...(night === undefined ? [] : nightMetrics(calendar, night, single)),
    ...sensor,
  ]
}

function nightMetrics(
  calendar: Calendar,
  night: Sleep,
  single: (type: string, value: number) => Entry,
): Entry[] {
  const { seed, restingHeartRate } = calendar.person
  const { illness } = calendar.day(night.day)
  const values = variabilitiesOf(calendar, night).map(({ value }) => value)
  const recovery = 76 - 30 * illness + 7 * normalAt(deriveSeed(seed, 882), night.day)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return [
    { type: 'sleep', object: nightObject(calendar, night) },
    single('recovery_index', Math.round(Math.min(Math.max(recovery, 1), 100))),
    single('sleep_rhr', Math.round(restingHeartRate + 6 * illness)),
    single('avg_sleep_hrv', Math.round(mean)),
  ]
}
