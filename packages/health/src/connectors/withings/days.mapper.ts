import { DAY_SECONDS } from '@salus/contracts/time-units'
import { dateAtOffset, startOfUtcDay } from '@salus/kernel/time/instants'
import { localToInstant } from '@salus/kernel/time/zone-offset'
import type { DetailRequest, PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { sportOf } from './sports.ts'
import {
  bodyOf,
  bodyOfDetail,
  callOf,
  daysAround,
  type Fields,
  forEachRecord,
  frameOf,
  instantOf,
  isTypedIn,
  listOf,
  offsetAt,
  SLUG,
  sourceTypeOf,
  valuesOfRecord,
} from './withings-api.ts'

type ItemReader = NonNullable<ReturnType<PageData['read']>>

/** A day on which the clock is put back. */
const LONGEST_DAY_SECONDS = DAY_SECONDS + 3600

/**
 * Maps days. The vendor also has days of other apps, which the user let it read: they are stored
 * with the type of their device, but not where a tracker of the vendor has the same day.
 */
export function mapActivity(answer: unknown, data: PageData): void {
  const records = listOf(answer, 'activities')
  const isTracked = (record: Fields): boolean => record.is_tracker === true
  const tracked = new Set(
    records
      .filter(isFields)
      .filter(isTracked)
      .map(({ date }) => date),
  )
  forEachRecord(records, data, 'activity', (record) => {
    if (!isTracked(record) && tracked.has(record.date)) return
    const day = data.date('activity', record.date, record)
    const reader = data.read('activity', record)
    if (day === undefined || reader === undefined) return
    const seconds = (name: string) => reader.integer(name, 0, LONGEST_DAY_SECONDS)
    const rate = (name: string) => reader.measured(name, 350)
    const values = {
      calories_total: reader.number('totalcalories'),
      calories_active: reader.number('calories'),
      steps: reader.integer('steps'),
      distance_meter: reader.number('distance'),
      // The number of floors.
      floors_climbed: reader.integer('elevation'),
      duration_active_second: seconds('active'),
      intensity_low_second: seconds('soft'),
      intensity_medium_second: seconds('moderate'),
      intensity_high_second: seconds('intense'),
      heart_rate_mean: rate('hr_average'),
      heart_rate_minimum: rate('hr_min'),
      heart_rate_maximum: rate('hr_max'),
    }
    if (!data.isValid('activity', reader, record)) return
    const at = startOfUtcDay(day)
    const zone = typeof record.timezone === 'string' ? record.timezone : ''
    const start = { at, offset: localToInstant(zone, at)?.offset ?? null }
    data.addSummary('activity', {
      recordId: day,
      start,
      sourceType:
        sourceTypeOf(record.modelid ?? record.model_id) ??
        (isTracked(record) ? 'watch' : 'unknown'),
      ...(typeof record.model === 'string' && { deviceModel: record.model }),
      ...frameOf(record, start),
      values,
      raw: record,
    })
  })
}

/** Returns the request for the zones of the days, which the rows of a day do not name. */
export function intradayDetails(answer: unknown, { range }: PageRequest): DetailRequest[] {
  if (Object.keys(seriesOf(answer)).length === 0) return []
  const parameters = { data_fields: 'steps', ...daysAround(range) }
  return [{ ...callOf('/v2/measure', 'getactivity', parameters), isOptional: true }]
}

/** Rows by Unix seconds; an empty list where there are none. */
function seriesOf(answer: unknown): Fields {
  const { series } = bodyOf(answer)
  if (isFields(series)) return series
  if (Array.isArray(series) && series.length === 0) return {}
  throw new VendorError(SLUG, { kind: 'unexpected', status: null })
}

/** Maps heart rates and oxygen of a day; rows without them are of steps. */
export function mapIntraday(answer: unknown, data: PageData, [days]: readonly unknown[]): void {
  const zoneAt = zonesOf(bodyOfDetail(days)?.activities)
  for (const [key, row] of Object.entries(seriesOf(answer))) {
    const reader = data.read('heartrate', row)
    if (reader === undefined || !isFields(row)) continue
    const seconds = /^\d+$/.test(key) ? Number(key) : Number.NaN
    const { heart_rate: rate, spo2_auto: oxygen } = row
    if (!rate && !oxygen) continue
    const record = { [key]: row }
    const start = instantOf(data, 'heartrate', seconds, zoneAt(seconds), record)
    if (start === undefined) continue
    const frame = { start, sourceType: sourceTypeOf(row.model_id) ?? 'unknown' } as const
    // 0 means that there is none.
    if (rate) {
      data.addSample('heartrate', { ...frame, value: rate as number, unit: 'bpm' }, record)
    }
    if (oxygen) {
      data.addSample('blood_oxygen', { ...frame, value: oxygen as number, unit: '%' }, record)
    }
  }
}

/** Returns a function that finds the zone of an instant by the local day that it falls on. */
function zonesOf(days: unknown): (seconds: number) => string | null {
  const known = (Array.isArray(days) ? days : []).filter(
    (day): day is { date: string; timezone: string } =>
      isFields(day) && typeof day.date === 'string' && typeof day.timezone === 'string',
  )
  return (seconds) => {
    for (const { date, timezone } of known) {
      const offset = offsetAt(timezone, seconds)
      if (offset !== null && dateAtOffset(seconds * 1000, offset) === date) return timezone
    }
    return null
  }
}

/** What the user typed in counts where the device measured nothing; there 0 is no value. */
const measuredOf = (reader: ItemReader, name: string): number | null => {
  const [measured, typed] = [reader.number(name), reader.number(`manual_${name}`)]
  return measured || typed || measured
}

/** Returns what the details of a workout say. */
export function valuesOfWorkout(
  reader: ItemReader,
  { start, end }: { start: VendorInstant; end: VendorInstant },
) {
  const pause = reader.integer('pause_duration') ?? reader.integer('algo_pause_duration')
  const moving = pause === null ? null : Math.round((end.at - start.at) / 1000) - pause
  return {
    duration_active_second: moving !== null && moving >= 0 ? moving : null,
    heart_rate_mean: reader.heartRate('hr_average'),
    heart_rate_minimum: reader.heartRate('hr_min'),
    heart_rate_maximum: reader.heartRate('hr_max'),
    distance_meter: measuredOf(reader, 'distance'),
    calories: measuredOf(reader, 'calories'),
    steps: reader.integer('steps'),
  }
}

/** Maps workouts. Its four zones of heart rate are not those of Salus, and have no place. */
export function mapWorkouts(answer: unknown, data: PageData): void {
  forEachRecord(listOf(answer, 'series'), data, 'workouts', (record) => {
    const { timezone: zone } = record
    const start = instantOf(data, 'workouts', record.startdate, zone, record)
    const end =
      start && instantOf(data, 'workouts', record.enddate, zone, record, 'invalid_end_date')
    const reader = data.read('workouts', valuesOfRecord(record))
    if (!start || !end || reader === undefined) return
    const values = valuesOfWorkout(reader, { start, end })
    if (!data.isValid('workouts', reader, record)) return
    data.addWorkout({
      recordId: String(record.id ?? record.startdate),
      start,
      end,
      sourceType: isTypedIn(record) ? 'app' : (sourceTypeOf(record.model) ?? 'unknown'),
      sport: sportOf(record.category),
      ...frameOf(record, start),
      values,
      raw: record,
    })
  })
}
