import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorSleep } from '../vendor-records.ts'
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
    const title = textOf(record.workoutName) ?? textOf(record.name)
    const added = data.addWorkout({
      recordId: textOf(record.workoutKey) ?? textOf(record.workoutId || null) ?? String(startTime),
      start,
      end: { at: end, offset },
      sourceType: record.isManuallyAdded === true ? 'app' : 'watch',
      ...(model !== null && { deviceModel: model }),
      sport: sportOf(record.activityId),
      values: { ...values, title },
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

/**
 * Maps nights and naps, which have the seconds of each stage and no times of stages. The vendor
 * sends a sleep again each time that it revises it: the longest version is the last one.
 */
export function mapSleep(answer: unknown, data: PageData): void {
  const sleeps = new Map<string, VendorSleep>()
  for (const record of soundRecordsOf(data, 'sleep', recordsOf(answer, 'entryData'))) {
    const reader = data.read('sleep', record.entryData)
    if (reader === undefined || !isFields(record.entryData)) continue
    const { SleepId, BedtimeStart, DateTime, IsNap } = record.entryData
    const from = BedtimeStart ?? DateTime ?? record.timestamp
    const times = timesOf(data, from, record.entryData, record)
    const type = IsNap === true ? 'acknowledged_nap' : null
    const values = { type, ...sleepValues(reader) }
    if (times === undefined || !data.isValid('sleep', reader, record)) continue
    // Naps have the id 0.
    const recordId = textOf(SleepId || null) ?? String(from)
    const known = sleeps.get(recordId)
    if (known !== undefined && known.end.at > times.end.at) continue
    sleeps.set(recordId, { recordId, ...times, ...WATCH, values, raw: record })
  }
  for (const sleep of sleeps.values()) data.addSleep(sleep)
}

/** Returns the ends of a sleep; some have the time in bed in place of the end. */
function timesOf(data: PageData, from: unknown, entry: Fields, record: Fields) {
  const start = data.instant('sleep', from, record)
  const { BedtimeEnd = null, Duration: seconds } = entry
  if (start !== undefined && BedtimeEnd === null && typeof seconds === 'number' && seconds > 0) {
    return { start, end: { ...start, at: start.at + seconds * 1000 } }
  }
  const end = start && data.instant('sleep', BedtimeEnd, record, 'invalid_end_date')
  return start && end && { start, end }
}

function sleepValues(reader: NonNullable<ReturnType<PageData['read']>>) {
  const seconds = (name: string) => reader.integer(name, 0, MOST_SECONDS)
  const rate = (name: string) => inMinutes(reader.measured(name, 350))
  const light = seconds('LightSleepDuration')
  const rem = seconds('REMSleepDuration')
  const deep = seconds('DeepSleepDuration')
  const asleep = (light ?? 0) + (rem ?? 0) + (deep ?? 0)
  const within = seconds('WakeAfterSleepOnsetDuration')
  const after = seconds('WakeBeforeOffBedDuration')
  return {
    // `Duration` is the time in bed.
    stage_asleep_second: asleep > 0 ? asleep : null,
    stage_awake_second: within === null && after === null ? null : (within ?? 0) + (after ?? 0),
    stage_light_second: light,
    stage_rem_second: rem,
    stage_deep_second: deep,
    latency_second: seconds('SleepOnsetLatencyDuration'),
    heart_rate_mean: rate('HRAvg'),
    heart_rate_minimum: rate('HRMin'),
    hrv_mean_rmssd: reader.measured('AvgHRV', 1000),
    score: reader.integer('SleepQualityScore', 0, 100) || null,
  }
}

/** Heart rates of some answers are in hertz. */
const isHertz = (rate: unknown): rate is number => typeof rate === 'number' && rate < 5

const inMinutes = (rate: number | null): number | null =>
  rate === null ? null : Math.round(isHertz(rate) ? rate * 60 : rate)

/** Removes the error of a multiplication, such as that of 0.57 * 100. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000

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
    const beats = isHertz(rate) ? rounded(rate * 60) : rate
    if (isSaid(rate)) data.addSample('heartrate', point(beats, 'bpm'), record)
    const extra = { method: 'rmssd' }
    if (isSaid(variability)) data.addSample('hrv', { ...point(variability, 'ms'), extra }, record)
    // A share, in some answers in percent.
    const isShare = typeof oxygen === 'number' && oxygen <= 1
    const percent = isShare ? rounded(oxygen * 100) : oxygen
    if (isSaid(oxygen)) data.addSample('blood_oxygen', point(percent, '%'), record)
    if (steps === null || steps === undefined) continue
    const next = ((nextOf.get(start.at) ?? Number.NaN) - start.at) / 1000
    const lasts = next > 0 && next <= LONGEST_STEP_SECONDS ? next : STEP_SECONDS
    const end = { at: start.at + lasts * 1000, offset: start.offset }
    data.addSample('steps', { ...point(steps, 'count'), end }, record)
  }
}
