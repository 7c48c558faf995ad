import type { PageData } from '../page-data.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'
import {
  type Fields,
  forEachRecord,
  idOf,
  LocalTimes,
  listOf,
  noonOf,
  unexpected,
} from './fitbit-pages.ts'

const WATCH = { sourceType: 'watch' } as const
const APP = { sourceType: 'app' } as const

const GENDERS: Readonly<Record<string, string>> = {
  FEMALE: 'female',
  MALE: 'male',
  NA: 'unknown',
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Maps the profile, which has no time. */
export function mapProfile(answer: unknown, data: PageData): void {
  const user = isFields(answer) ? answer.user : undefined
  if (!isFields(user)) throw unexpected()
  const reader = data.read('profile', user)
  if (reader === undefined) return
  // An empty text is a date that the person did not enter.
  const birthDate = user.dateOfBirth === '' ? null : reader.date('dateOfBirth')
  const height = reader.measured('height', 300)
  if (!data.isValid('profile', reader, user)) return
  data.addSummary('profile', {
    ...APP,
    recordId: 'profile',
    start: { at: 0, offset: null },
    values: {
      height_centimeter: height === null ? null : Math.round(height),
      birth_date: birthDate,
      gender: GENDERS[String(user.gender)] ?? null,
    },
    raw: user,
  })
}

/** Maps trackers and scales. */
export function mapDevices(answer: unknown, data: PageData): void {
  if (!Array.isArray(answer)) throw unexpected()
  forEachRecord(answer, data, 'device', ({ id, type, deviceVersion }) => {
    const isPhone = deviceVersion === 'MobileTrack'
    const sourceType = isPhone ? 'phone' : type === 'SCALE' ? 'scale' : 'watch'
    const [model, deviceId] = [textOf(deviceVersion), idOf(id) || null]
    data.addDevice({ sourceType, manufacturer: 'Fitbit', model, version: null, deviceId })
  })
}

const sourceOf = (source: unknown): SourceType =>
  typeof source === 'string' && source.startsWith('Aria') ? 'scale' : source ? 'app' : 'unknown'

/**
 * Maps weights, with the body fat of the same moment. Units are metric, since no language is
 * requested.
 */
export function mapBody(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const times = new LocalTimes(data, details)
  const lists = [answer, ...details].filter(isFields)
  const listed = (name: string) => lists.find((one) => Array.isArray(one[name]))?.[name]
  const [weights, fats] = [listed('weight'), listed('fat')] as (unknown[] | undefined)[]
  if (!isFields(answer) || !(Array.isArray(answer.weight) || Array.isArray(answer.fat))) {
    throw unexpected()
  }
  // Ids are times, so a weight and a body fat of one moment have the same.
  const logs = new Map<unknown, Fields>()
  forEachRecord([...(fats ?? []), ...(weights ?? [])], data, 'body', (record) => {
    const key = idOf(record.logId) || `${record.date}T${record.time}`
    logs.set(key, { ...logs.get(key), ...record })
  })
  for (const [id, record] of logs) addBody(data, times, String(id), record)
}

function addBody(data: PageData, times: LocalTimes, recordId: string, record: Fields): void {
  const start = times.instant('body', `${record.date}T${record.time}`, record)
  const reader = data.read('body', record)
  if (start === undefined || reader === undefined) return
  const values = {
    weight_kilogram: reader.measured('weight', 700),
    fat_mass_percentage: reader.measured('fat', 100),
    body_mass_index: reader.measured('bmi', 150),
  }
  if (!data.isValid('body', reader, record)) return
  if (values.weight_kilogram === null && values.fat_mass_percentage === null) {
    data.quarantine('body', 'invalid_value', record)
    return
  }
  const frame = { start, sourceType: sourceOf(record.source) }
  const calendarDate = String(record.date)
  data.addSummary('body', { ...frame, recordId, calendarDate, values, raw: record })
  const { weight_kilogram: weight, fat_mass_percentage: fat } = values
  if (weight !== null)
    data.addSample('body_weight', { ...frame, value: weight, unit: 'kg' }, record)
  if (fat !== null) data.addSample('body_fat', { ...frame, value: fat, unit: '%' }, record)
}

/**
 * Maps the rows of days whose rows have a local time, as `minute`. The answer without the rows has
 * the mean of each night, which is placed at noon.
 */
function mapMinutes(
  days: readonly unknown[],
  data: PageData,
  details: readonly unknown[],
  { series, unit, toValue, toMean, extra }: Minutes,
): void {
  const times = new LocalTimes(data, details)
  const add = (start: VendorInstant, value: unknown, row: Fields) =>
    data.addSample(
      series,
      { ...WATCH, start, value: value as number, unit, ...(extra && { extra }) },
      row,
    )
  forEachRecord(days, data, series, (day) => {
    if (day.minutes === undefined && isFields(day.value)) {
      const date = data.date(series, day.dateTime, day)
      if (date !== undefined) add(noonOf(date), toMean(day.value), day)
      return
    }
    if (!Array.isArray(day.minutes)) {
      data.quarantine(series, 'invalid_field', day)
      return
    }
    let earliest = Number.NEGATIVE_INFINITY
    forEachRecord(day.minutes, data, series, (row) => {
      const start = times.instant(series, row.minute, row, earliest)
      if (start === undefined) return
      earliest = start.at + 1
      add(start, toValue(row.value), row)
    })
  })
}

interface Minutes {
  series: 'hrv' | 'blood_oxygen'
  unit: string
  toValue: (value: unknown) => unknown
  /** Returns the mean of a night. */
  toMean: (value: Fields) => unknown
  extra?: Record<string, string>
}

export function mapVariability(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const toValue = (value: unknown) => (isFields(value) ? value.rmssd : undefined)
  const toMean = (value: Fields) => value.dailyRmssd
  const frame = { series: 'hrv', unit: 'ms', extra: { method: 'rmssd' } } as const
  mapMinutes(listOf(answer, 'hrv'), data, details, { ...frame, toValue, toMean })
}

/** Maps the saturations of nights; the answer for a single day is no list. */
export function mapBloodOxygen(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const days = Array.isArray(answer) ? answer : [answer]
  const isDay = isFields(answer) && ('minutes' in answer || 'value' in answer)
  if (!Array.isArray(answer) && !isDay) throw unexpected()
  const toValue = (value: unknown) => value
  const toMean = (value: Fields) => value.avg
  mapMinutes(days, data, details, { series: 'blood_oxygen', unit: '%', toValue, toMean })
}

/** Maps temperatures that people typed in. */
export function mapTemperatures(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
): void {
  const times = new LocalTimes(data, details)
  forEachRecord(listOf(answer, 'tempCore'), data, 'body_temperature', (record) => {
    const start = times.instant('body_temperature', record.dateTime, record)
    const sample = start && { ...APP, start, value: record.value as number, unit: '°C' }
    if (sample) data.addSample('body_temperature', sample, record)
  })
}

const RANGE = /^(\d+(?:\.\d+)?)(?:\s*-\s*(\d+(?:\.\d+)?))?$/

/** Maps the cardio fitness score; of a range, such as `44-48`, its middle. */
export function mapOxygenUptake(answer: unknown, data: PageData): void {
  forEachRecord(listOf(answer, 'cardioScore'), data, 'vo2_max', (record) => {
    const day = data.date('vo2_max', record.dateTime, record)
    const text = isFields(record.value) ? record.value.vo2Max : undefined
    const [, low, high = low] = RANGE.exec(String(text)) ?? []
    if (day === undefined) return
    const value = (Number(low) + Number(high)) / 2
    const sample = { ...WATCH, start: noonOf(day), value, unit: 'mL/kg/min' }
    data.addSample('vo2_max', sample, record)
  })
}

/** Maps notifications of an irregular rhythm. */
export function mapAlerts(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const times = new LocalTimes(data, details)
  forEachRecord(listOf(answer, 'alerts'), data, 'heart_rate_alert', (record) => {
    const time = record.detectedTime ?? record.alertTime
    const start = times.instant('heart_rate_alert', time, record)
    const sample = start && { ...WATCH, start, value: 1, unit: 'count', type: 'irregular_rhythm' }
    if (sample) data.addSample('heart_rate_alert', sample, record)
  })
}
