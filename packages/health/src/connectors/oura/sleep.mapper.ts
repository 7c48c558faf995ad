import type { PageData } from '../page-data.ts'
import type { VendorRequest } from '../vendor-client.ts'
import { isFields, type VendorInstant, type VendorStage } from '../vendor-records.ts'
import { recordsOf, sameDays } from './oura-pages.ts'

type Fields = Record<string, unknown>

/** Scores belong to the day and not to the sleep. */
const DAILY = ['daily_sleep', 'daily_readiness'] as const

/** A night of the vendor with the scores of its day. */
interface Night {
  record: Fields
  start: VendorInstant
  end: VendorInstant
  day: string
  scores: Fields | undefined
  readiness: Fields | undefined
}

/** Records that the user deleted or marked as no sleep. */
const NO_SLEEP = new Set<unknown>(['deleted', 'rest'])
const TYPES: Readonly<Record<string, string>> = {
  long_sleep: 'long_sleep',
  sleep: 'short_sleep',
  late_nap: 'acknowledged_nap',
}
const STAGES: Readonly<Record<string, VendorStage>> = {
  1: 'deep',
  2: 'light',
  3: 'rem',
  4: 'awake',
}
/** Seconds of a week: no sleep is longer. */
const MOST_SECONDS = 604_800

/** Returns the requests for the scores of the days of a page. */
export function sleepDetails(answer: unknown): VendorRequest[] {
  return DAILY.flatMap((collection) => sameDays(answer, collection) ?? [])
}

/** Maps sleeps, with heart rate variability, breaths and temperature of the night. */
export function mapSleep(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const [scores, readiness] = DAILY.map((_collection, index) => byDay(details[index]))
  for (const record of recordsOf(answer)) {
    const night = nightOf(record, data)
    if (night === undefined) continue
    // A day has one score, which is that of its night.
    const isNight = night.record.type === 'long_sleep'
    const own = night.record.readiness
    addNight(data, {
      ...night,
      scores: isNight ? scores?.get(night.day) : undefined,
      readiness: isFields(own) ? own : isNight ? readiness?.get(night.day) : undefined,
    })
  }
}

function byDay(answer: unknown): Map<unknown, Fields> {
  const records = answer === undefined ? [] : recordsOf(answer)
  return new Map(records.filter(isFields).map((record) => [record.day, record]))
}

function nightOf(
  record: unknown,
  data: PageData,
): Pick<Night, 'record' | 'start' | 'end' | 'day'> | undefined {
  if (data.read('sleep', record) === undefined || !isFields(record)) return undefined
  if (NO_SLEEP.has(record.type)) return undefined
  const start = data.instant('sleep', record.bedtime_start, record)
  if (start === undefined) return undefined
  const end = data.instant('sleep', record.bedtime_end, record, 'invalid_end_date')
  if (end === undefined) return undefined
  const day = data.date('sleep', record.day, record)
  return day === undefined ? undefined : { record, start, end, day }
}

function addNight(data: PageData, night: Night): void {
  const { record, start, end, day, readiness } = night
  const values = valuesOf(data, night)
  if (values === undefined) return
  const { hrv, ...raw } = record
  const added = data.addSleep({
    recordId: typeof record.id === 'string' ? record.id : String(record.bedtime_start),
    calendarDate: day,
    start,
    end,
    sourceType: 'ring',
    values,
    stages: stagesOf(record),
    readings: { heartRates: pointsOf(data, 'heartrate', record.heart_rate) },
    raw,
  })
  if (added === undefined) return
  const frame = { sourceType: 'ring' } as const
  for (const { startedAt, value } of pointsOf(data, 'hrv', hrv)) {
    const at = { at: startedAt, offset: start.offset }
    data.addSample('hrv', {
      ...frame,
      start: at,
      value,
      unit: 'ms',
      extra: { method: 'rmssd' },
    })
  }
  if (values.respiratory_rate) {
    // The vendor reports one rate for the whole sleep.
    const middle = { at: (start.at + end.at) / 2, offset: start.offset }
    const value = values.respiratory_rate
    data.addSample('respiratory_rate', { ...frame, start: middle, value, unit: 'bpm' }, record)
  }
  const delta = readiness?.temperature_deviation
  if (typeof delta === 'number') {
    const extra = { sensor_location: 'finger' }
    const sample = { ...frame, start, end, value: delta, unit: '°C', extra }
    data.addSample('body_temperature_delta', sample, record)
  }
}

/** Returns the columns that the vendor reports; undefined for a record that is quarantined. */
function valuesOf(data: PageData, { record, scores, readiness }: Night) {
  const reader = data.read('sleep', record)
  const score = data.read('sleep', scores ?? {})
  const ready = data.read('sleep', readiness ?? {})
  if (reader === undefined || score === undefined || ready === undefined) return undefined
  const seconds = (name: string): number | null => reader.integer(name, 0, MOST_SECONDS)
  const values = {
    type: TYPES[String(record.type)] ?? null,
    stage_asleep_second: seconds('total_sleep_duration'),
    stage_awake_second: seconds('awake_time'),
    stage_light_second: seconds('light_sleep_duration'),
    stage_rem_second: seconds('rem_sleep_duration'),
    stage_deep_second: seconds('deep_sleep_duration'),
    latency_second: seconds('latency'),
    heart_rate_mean: reader.heartRate('average_heart_rate'),
    heart_rate_minimum: reader.heartRate('lowest_heart_rate'),
    hrv_mean_rmssd: reader.measured('average_hrv', 1000),
    respiratory_rate: reader.measured('average_breath', 120),
    skin_temperature_delta: ready.number('temperature_deviation', -10, 10),
    score: score.integer('score', 0, 100),
    recovery_readiness_score: ready.integer('score', 0, 100),
  }
  const readers = [reader, score, ready]
  return readers.every((each) => data.isValid('sleep', each, record)) ? values : undefined
}

/** One letter for every 30 seconds, of which the durations are sums, or for every 5 minutes. */
function stagesOf({ sleep_phase_5_min: coarse, sleep_phase_30_sec: fine }: Fields) {
  const isFine = typeof fine === 'string' && fine !== ''
  const [letters, seconds] = isFine ? [fine, 30] : [coarse, 300]
  if (typeof letters !== 'string') return []
  return [...letters].slice(0, MOST_SECONDS / seconds).map((letter, index) => ({
    stage: STAGES[letter] ?? 'unknown',
    from: index * seconds,
    to: (index + 1) * seconds,
  }))
}

/** Returns the values of a recording: one in each interval, null where the ring has none. */
function pointsOf(data: PageData, resource: string, recording: unknown) {
  if (recording === null || recording === undefined) return []
  const { interval, items, timestamp } = isFields(recording) ? recording : {}
  if (typeof interval !== 'number' || !(interval > 0) || !Array.isArray(items)) {
    data.quarantine(resource, 'invalid_field', recording)
    return []
  }
  const start = data.instant(resource, timestamp, recording)
  if (start === undefined) return []
  return items.flatMap((value, index) => {
    const at = Math.round(start.at + index * interval * 1000)
    return value === null ? [] : [{ startedAt: at, endedAt: at, value: value as number }]
  })
}
