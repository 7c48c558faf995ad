import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { sportOf } from './suunto-sports.ts'

type Fields = Record<string, unknown>

export const SLUG = 'suunto'

export const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

const WATCH = { sourceType: 'watch' } as const

/**
 * Returns the records of an answer: a list, `{"error", "payload"}` with a list or one record, or
 * one record.
 * @param own A field that every record has.
 * @throws VendorError `unexpected`
 */
function recordsOf(answer: unknown, own: string): readonly unknown[] {
  if (answer === undefined) return []
  if (Array.isArray(answer)) return answer
  if (!isFields(answer)) throw unexpected()
  const { payload, samples } = answer
  const list = payload ?? samples
  if (Array.isArray(list)) return list
  if (isFields(list)) return [list]
  if (own in answer) return [answer]
  throw unexpected()
}

function soundRecordsOf(data: PageData, resource: string, records: readonly unknown[]): Fields[] {
  return records.filter((record): record is Fields => data.read(resource, record) !== undefined)
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

const MOST_OFFSET_MINUTES = 18 * 60

/** Maps workouts, whose times are epoch milliseconds with an offset in minutes. */
export function mapWorkouts(answer: unknown, data: PageData): void {
  for (const record of soundRecordsOf(data, 'workouts', recordsOf(answer, 'startTime'))) {
    const { timeOffsetInMinutes: minutes = null, startTime, stopTime, totalTime } = record
    const isOffset = typeof minutes === 'number' && Math.abs(minutes) <= MOST_OFFSET_MINUTES
    const offset = isOffset ? minutes * 60 : null
    if (minutes !== null && !isOffset) data.quarantine('workouts', 'invalid_field', record)
    if (minutes !== null && !isOffset) continue
    const unit = { unit: 'ms', offset } as const
    const start = data.epochInstant('workouts', startTime, unit, record)
    const values = start && workoutValues(data, record)
    if (start === undefined || values === undefined) continue
    // A workout that was just uploaded has no end.
    const end = typeof stopTime === 'number' ? stopTime : start.at + numberOf(totalTime) * 1000
    const gear = isFields(record.gear) ? record.gear : {}
    const model = textOf(gear.displayName) ?? textOf(gear.name)
    const added = data.addWorkout({
      recordId: textOf(record.workoutKey) ?? textOf(record.workoutId || null) ?? String(startTime),
      start,
      end: { at: end, offset },
      ...WATCH,
      ...(model !== null && { deviceModel: model }),
      sport: sportOf(record.activityId),
      values,
      raw: record,
    })
    if (added === undefined || model === null) continue
    const manufacturer = textOf(gear.manufacturer)
    const deviceId = textOf(gear.serialNumber)
    data.addDevice({ ...WATCH, manufacturer, model, version: textOf(gear.swVersion), deviceId })
  }
}

const textOf = (value: unknown): string | null =>
  typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : null

/** Returns the columns of a workout; undefined for a record that is quarantined. */
function workoutValues(data: PageData, record: Fields) {
  const reader = data.read('workouts', record)
  const heart = data.read('workouts', record.hrdata ?? {})
  if (reader === undefined || heart === undefined) return undefined
  const amount = (name: string) => reader.measured(name, Number.MAX_SAFE_INTEGER)
  const duration = reader.integer('totalTime', 0)
  const values = {
    // Kilocalories here, unlike in the samples of a day.
    calories: amount('energyConsumption'),
    distance_meter: amount('totalDistance'),
    duration_active_second: duration,
    steps: reader.integer('stepCount') || null,
    elevation_gain_meter: reader.number('totalAscent'),
    elevation_maximum_meter: reader.number('maxAltitude', -1000),
    elevation_minimum_meter: reader.number('minAltitude', -1000),
    speed_mean: amount('avgSpeed'),
    speed_maximum: amount('maxSpeed'),
    power_mean: amount('avgPower'),
    power_maximum: amount('maxPower'),
    heart_rate_mean: heart.heartRate('workoutAvgHR') ?? heart.heartRate('avg'),
    heart_rate_minimum: heart.heartRate('min'),
    // `max` is that of the person.
    heart_rate_maximum: heart.heartRate('workoutMaxHR') ?? heart.heartRate('hrmax'),
  }
  const isValid =
    data.isValid('workouts', reader, record) && data.isValid('workouts', heart, record)
  return isValid ? values : undefined
}

const MOST_SECONDS = 604_800

/** Maps nights and naps, which have the seconds of each stage and no times of stages. */
export function mapSleep(answer: unknown, data: PageData): void {
  for (const record of soundRecordsOf(data, 'sleep', recordsOf(answer, 'entryData'))) {
    const reader = data.read('sleep', record.entryData)
    const entry = isFields(record.entryData) ? record.entryData : {}
    const start = reader && data.instant('sleep', entry.BedtimeStart, record)
    const end = start && data.instant('sleep', entry.BedtimeEnd, record, 'invalid_end_date')
    if (reader === undefined || start === undefined || end === undefined) continue
    const seconds = (name: string) => reader.integer(name, 0, MOST_SECONDS)
    const stages = ['LightSleepDuration', 'REMSleepDuration', 'DeepSleepDuration'].map(seconds)
    const [light = null, rem = null, deep = null] = stages
    const asleep = (light ?? 0) + (rem ?? 0) + (deep ?? 0)
    const values = {
      type: entry.IsNap === true ? 'acknowledged_nap' : null,
      // `Duration` is the time in bed.
      stage_asleep_second: asleep > 0 ? asleep : null,
      stage_awake_second: seconds('WakeAfterSleepOnsetDuration'),
      stage_light_second: light,
      stage_rem_second: rem,
      stage_deep_second: deep,
      latency_second: seconds('SleepOnsetLatencyDuration'),
      heart_rate_mean: reader.heartRate('HRAvg'),
      heart_rate_minimum: reader.heartRate('HRMin'),
      hrv_mean_rmssd: reader.measured('AvgHRV', 1000),
      score: reader.integer('SleepQualityScore', 0, 100) || null,
    }
    if (!data.isValid('sleep', reader, record)) continue
    const recordId = textOf(entry.SleepId) ?? String(entry.BedtimeStart)
    data.addSleep({ recordId, start, end, ...WATCH, values, raw: record })
  }
}

/** Seconds of an interval of steps whose end is not known. */
const STEP_SECONDS = 600
const LONGEST_STEP_SECONDS = 900

/** Maps samples of some minutes: heart rate, its variability, blood oxygen and steps. */
export function mapActivity(answer: unknown, data: PageData): void {
  const records = recordsOf(answer, 'entryData')
  const starts = records
    .map((record) => (isFields(record) ? Date.parse(String(record.timestamp)) : Number.NaN))
    .filter((at) => !Number.isNaN(at))
    .sort((a, b) => a - b)
  const nextOf = new Map(starts.map((at, index) => [at, starts[index + 1] ?? Number.NaN]))
  for (const record of soundRecordsOf(data, 'heartrate', records)) {
    const start = data.instant('heartrate', record.timestamp, record)
    const entry = isFields(record.entryData) ? record.entryData : undefined
    if (start === undefined) continue
    if (entry === undefined) {
      data.quarantine('heartrate', 'invalid_field', record)
      continue
    }
    const { HR: rate, HRV: variability, SpO2: oxygen, StepCount: steps } = entry
    const isSaid = (value: unknown) => value !== null && value !== undefined && value !== 0
    const point = (value: unknown, unit: string) =>
      ({ ...WATCH, start, value: value as number, unit }) as const
    // Earlier documentation has hertz.
    const isHertz = typeof rate === 'number' && rate < 5
    if (isSaid(rate)) data.addSample('heartrate', point(isHertz ? rate * 60 : rate, 'bpm'), record)
    const extra = { method: 'rmssd' }
    if (isSaid(variability)) data.addSample('hrv', { ...point(variability, 'ms'), extra }, record)
    // A share, in some answers in percent.
    const isShare = typeof oxygen === 'number' && oxygen <= 1
    const percent = isShare ? oxygen * 100 : oxygen
    if (isSaid(oxygen)) data.addSample('blood_oxygen', point(percent, '%'), record)
    if (steps === null || steps === undefined) continue
    const next = ((nextOf.get(start.at) ?? Number.NaN) - start.at) / 1000
    const lasts = next > 0 && next <= LONGEST_STEP_SECONDS ? next : STEP_SECONDS
    const end = { at: start.at + lasts * 1000, offset: start.offset }
    data.addSample('steps', { ...point(steps, 'count'), end }, record)
  }
}
