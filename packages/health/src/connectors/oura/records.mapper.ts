import { DAY_SECONDS, HOUR_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { recordsOf } from './oura-pages.ts'

type Fields = Record<string, unknown>

const NOON_MS = 12 * HOUR_MS
/** The day on which daylight saving time ends. */
const LONGEST_DAY_SECONDS = 90_000

const RING = { sourceType: 'ring' } as const

/**
 * A record of a day without a time. It is placed at noon UTC, which is that day nearly everywhere.
 */
const noonOf = (day: string): VendorInstant => ({ at: startOfUtcDay(day) + NOON_MS, offset: null })

/** Calls back with each valid record; the others are quarantined. */
function forEachRecord(
  answer: unknown,
  data: PageData,
  resource: string,
  add: (record: Fields) => void,
): void {
  for (const record of recordsOf(answer)) {
    if (isFields(record)) add(record)
    else data.quarantine(resource, 'not_an_object', record)
  }
}

/** Maps days, which last from 4 o'clock to 4 o'clock. */
export function mapActivity(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'activity', (record) => {
    const day = data.date('activity', record.day, record)
    const from = day && data.instant('activity', record.timestamp, record)
    const reader = data.read('activity', record)
    if (!day || !from || reader === undefined) return
    const seconds = (name: string) => reader.integer(name, 0, LONGEST_DAY_SECONDS)
    const values = {
      calories_total: reader.number('total_calories'),
      calories_active: reader.number('active_calories'),
      steps: reader.integer('steps'),
      distance_meter: reader.number('equivalent_walking_distance'),
      intensity_sedentary_second: seconds('sedentary_time'),
      intensity_low_second: seconds('low_activity_time'),
      intensity_medium_second: seconds('medium_activity_time'),
      intensity_high_second: seconds('high_activity_time'),
    }
    if (!data.isValid('activity', reader, record)) return
    const start = { at: startOfUtcDay(day), offset: from.offset }
    const frame = { ...RING, recordId: day, calendarDate: day, start }
    data.addSummary('activity', { ...frame, values, raw: record })
  })
}

export function mapWorkouts(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'workouts', (record) => {
    const start = data.instant('workouts', record.start_datetime, record)
    const end = start && data.instant('workouts', record.end_datetime, record, 'invalid_end_date')
    const reader = data.read('workouts', record)
    if (!start || !end || reader === undefined) return
    const values = {
      title: typeof record.label === 'string' ? record.label.toWellFormed() : null,
      calories: reader.number('calories'),
      distance_meter: reader.number('distance'),
    }
    if (!data.isValid('workouts', reader, record)) return
    data.addWorkout({
      recordId: typeof record.id === 'string' ? record.id : String(record.start_datetime),
      start,
      end,
      // Manual records were entered by hand.
      sourceType: record.source === 'manual' ? 'app' : 'ring',
      sport: typeof record.activity === 'string' ? record.activity : '',
      values,
      raw: record,
    })
  })
}

/**
 * Maps rows of an instant and a rate; a day may have 1,440. The instant is in UTC, so the offset is
 * unknown.
 */
export function mapHeartRates(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'heartrate', (record) => {
    const start = data.instant('heartrate', record.timestamp, record)
    if (start === undefined) return
    const sample = {
      ...RING,
      start: { at: start.at, offset: null },
      value: record.bpm as number,
      unit: 'bpm',
    }
    data.addSample('heartrate', sample, record)
  })
}

/** Maps the mean of a night. */
export function mapBloodOxygen(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'blood_oxygen', (record) => {
    const day = data.date('blood_oxygen', record.day, record)
    const average = isFields(record.spo2_percentage) ? record.spo2_percentage.average : undefined
    // 0 and null mean that the night has no value.
    if (day === undefined || !average) return
    const sample = { ...RING, start: noonOf(day), value: average as number, unit: '%' }
    data.addSample('blood_oxygen', sample, record)
  })
}

/** Maps the share of a day in high stress, which the vendor reports in seconds. */
export function mapStress(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'stress_level', (record) => {
    const day = data.date('stress_level', record.day, record)
    const seconds = record.stress_high
    if (day === undefined || seconds === null || seconds === undefined) return
    const value = (100 * (seconds as number)) / DAY_SECONDS
    const isNumber = typeof seconds === 'number'
    const sample = { ...RING, start: noonOf(day), value: isNumber ? value : Number.NaN, unit: '%' }
    data.addSample('stress_level', sample, record)
  })
}

/** Maps samples of vo2_max in mL/kg/min; records without a value are skipped. */
export function mapOxygenUptake(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'vo2_max', (record) => {
    const start = data.instant('vo2_max', record.timestamp, record)
    if (start === undefined || record.vo2_max === null) return
    const sample = { ...RING, start, value: record.vo2_max as number, unit: 'mL/kg/min' }
    data.addSample('vo2_max', sample, record)
  })
}

const SEXES = ['male', 'female', 'other']

/**
 * Maps the profile, which has no time. The vendor reports an age instead of a birth date, so it is
 * not stored.
 */
export function mapProfile(answer: unknown, data: PageData): void {
  const reader = data.read('profile', answer)
  if (reader === undefined || !isFields(answer)) return
  const meters = reader.number('height', 0, 3)
  if (!data.isValid('profile', reader, answer)) return
  data.addSummary('profile', {
    recordId: 'profile',
    start: { at: 0, offset: null },
    sourceType: 'app',
    values: {
      height_centimeter: meters ? Math.round(meters * 100) : null,
      sex: SEXES.find((sex) => sex === answer.biological_sex) ?? null,
    },
    raw: answer,
  })
}

/** Maps rings to devices, with the generation in their model, such as `Oura Ring Gen3`. */
export function mapRings(answer: unknown, data: PageData): void {
  forEachRecord(answer, data, 'device', (record) => {
    const text = (value: unknown) => (typeof value === 'string' ? value : null)
    const type = text(record.hardware_type)
    data.addDevice({
      ...RING,
      manufacturer: 'Oura',
      model: type === null ? 'Oura Ring' : `Oura Ring ${type.replace(/^gen/, 'Gen ')}`,
      version: text(record.firmware_version),
      deviceId: text(record.id),
    })
  })
}
