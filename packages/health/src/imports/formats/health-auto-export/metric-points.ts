import { createHash } from 'node:crypto'
import { findSeries, type SourceType } from '@salus/contracts/series'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { formatInstant, startOfUtcDay } from '@salus/kernel/time/instants'
import { localToInstant } from '@salus/kernel/time/zone-offset'
import type { VendorInstant } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'
import type { ImportWriter } from '../../running/import-writer.ts'
import { isPossibleTime } from '../../running/possible-time.ts'
import type { TypeData } from '../../running/type-data.ts'
import { type PhoneInstant, readPhoneDate } from './auto-export-dates.ts'
import { labelOf, METRIC_TYPES, type MetricType } from './metric-types.registry.ts'
import type { Aggregation } from './survey.ts'

type Fields = Record<string, unknown>

/** Source of sums and means, which HealthKit computes over all devices. */
export const ALL_DEVICES = { appId: 'health_auto_export', sourceType: 'multiple_sources' } as const

export interface PointSettings {
  aggregation: Aggregation | undefined
  /** Zone of the user, or null. */
  zone: string | null
  /** When local days of the export begin, epoch milliseconds, by their dates. */
  midnights: ReadonlyMap<string, number>
  now: Date
  modifiedAt: number | undefined
}

/**
 * Returns the source of a single sample. People name their devices, so a fingerprint stands for the
 * name.
 */
export function sourceOfSample(name: unknown): { appId: string; sourceType: SourceType } {
  if (typeof name !== 'string' || name === '') return { ...ALL_DEVICES, sourceType: 'unknown' }
  // Samples of several devices that HealthKit joined.
  if (name.includes('|')) return ALL_DEVICES
  const fingerprint = createHash('sha256').update(name).digest('hex').slice(0, 12)
  const sourceType = /watch/i.test(name) ? 'watch' : /iphone/i.test(name) ? 'phone' : 'unknown'
  return { appId: `${ALL_DEVICES.appId}.${fingerprint}`, sourceType }
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** Cells of a point that may be quarantined: those without words of a person. */
export const knownOf = (point: Fields): Fields => {
  const { source: _, ...known } = point
  return Object.fromEntries(
    Object.entries(known).filter(
      ([name, value]) => typeof value === 'number' || /date$/i.test(name) || name === 'units',
    ),
  )
}

/** When a point began and ended; the end is undefined where it is not known. */
interface PointTime {
  start: PhoneInstant
  end: VendorInstant | undefined
  isRaw: boolean
}

/** Returns the time of a point, or quarantines it. */
function timeOf(
  data: TypeData,
  resource: string,
  point: Fields,
  settings: PointSettings,
): PointTime | undefined {
  const isRaw = point.startDate !== undefined
  const start = readPhoneDate(isRaw ? point.startDate : point.date)
  if (start === undefined || !isPossibleTime(start.at, settings.now)) {
    data.quarantine(resource, 'invalid_start_date', knownOf(point))
    return undefined
  }
  if (!isRaw) return { start, end: endOfBucket(start, settings), isRaw }
  const end = point.endDate === undefined ? start : readPhoneDate(point.endDate)
  if (end !== undefined && isPossibleTime(end.at, settings.now)) return { start, end, isRaw }
  data.quarantine(resource, 'invalid_end_date', knownOf(point))
  return undefined
}

/**
 * Returns the end of a sum. A day has 23 or 25 hours where the clock changes, which the zone or the
 * next day of the export says.
 */
function endOfBucket(
  { at, offset, day }: PhoneInstant,
  { aggregation, zone, midnights }: PointSettings,
): VendorInstant | undefined {
  if (aggregation === undefined) return undefined
  if (aggregation !== 'days') {
    return { at: at + (aggregation === 'hours' ? HOUR_MS : MINUTE_MS), offset }
  }
  const [from, to] = [0, DAY_MS].map((ms) =>
    zone === null ? undefined : localToInstant(zone, startOfUtcDay(day) + ms),
  )
  if (from?.at === at && to !== undefined) return to
  const next = midnights.get(formatInstant(startOfUtcDay(day) + DAY_MS).slice(0, 10))
  const isNear = next !== undefined && Math.abs(next - at - DAY_MS) <= HOUR_MS
  return { at: isNear ? next : at + DAY_MS, offset }
}

/** Adds a point of a metric that has a series. */
export function addPoint(
  out: ImportWriter,
  metric: { name: string; units: unknown; type: MetricType },
  point: unknown,
  settings: PointSettings,
): void {
  const { name, type, units } = metric
  const data = out.type(name, type.series)
  data.count()
  if (!isFields(point)) {
    data.quarantine(type.series, 'not_an_object', null)
    return
  }
  const time = timeOf(data, type.series, point, settings)
  if (time === undefined) return
  const { start, end, isRaw } = time
  const known = { ...knownOf(point), units: labelOf(units) }
  const value = numberOf(point.qty ?? point.Avg ?? point.avg)
  // The app writes percents and no shares.
  if (type.isPercent && value > 0 && value <= 1) {
    data.quarantine(type.series, 'out_of_range', known)
    return
  }
  const isInterval = findSeries(type.series)?.shape === 'interval'
  if (type.isAmount && end === undefined && isInterval) {
    data.quarantine(type.series, 'invalid_end_date', known)
    return
  }
  const isMeanOfDay = !type.isAmount && !isRaw && settings.aggregation === 'days'
  const at = isMeanOfDay && start.secondOfDay === 0 ? start.at + DAY_MS / 2 : start.at
  data.addSample(
    type.series,
    {
      ...(isRaw ? sourceOfSample(point.source) : ALL_DEVICES),
      start: { at, offset: start.offset },
      ...(type.isAmount && end !== undefined && { end }),
      ...(isRaw && end !== undefined && { end }),
      value,
      unit: labelOf(units),
      ...(type.extra !== undefined && { extra: type.extra }),
      ...(type.sport !== undefined && { sport: type.sport }),
      ...(settings.modifiedAt !== undefined && { modifiedAt: settings.modifiedAt }),
    },
    known,
  )
}

/** Adds a blood pressure. */
export function addPressure(
  out: ImportWriter,
  units: unknown,
  point: unknown,
  settings: PointSettings,
): void {
  const data = out.type('blood_pressure', 'blood_pressure')
  data.count()
  if (!isFields(point)) {
    data.quarantine('blood_pressure', 'not_an_object', null)
    return
  }
  const time = timeOf(data, 'blood_pressure', point, settings)
  if (time === undefined) return
  const { at, offset } = time.start
  const known = { ...knownOf(point), units: labelOf(units) }
  const pressure = {
    ...(time.isRaw ? sourceOfSample(point.source) : ALL_DEVICES),
    start: { at, offset },
    systolic: numberOf(point.systolic),
    diastolic: numberOf(point.diastolic),
    unit: labelOf(units) || 'mmHg',
    ...(settings.modifiedAt !== undefined && { modifiedAt: settings.modifiedAt }),
  }
  if (Number.isNaN(pressure.systolic) !== Number.isNaN(pressure.diastolic)) {
    data.quarantine('blood_pressure', 'unpaired', known)
  } else data.addBloodPressure(pressure, known)
}

/** Returns the type of a metric; undefined for one without a series. */
export const metricTypeOf = (name: string): MetricType | undefined =>
  Object.hasOwn(METRIC_TYPES, name) ? METRIC_TYPES[name] : undefined
