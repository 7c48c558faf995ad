import { parseInstant } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { type Fields, requestsOf } from './strava-pages.ts'
import { readStream } from './strava-stream.ts'

/** No activity is longer than a year. */
const MOST_SECONDS = 31_622_400
const MOST_OFFSET_SECONDS = 64_800

/** Long lists of a detailed activity that nothing is read from. */
const LISTS = [
  'segment_efforts',
  'best_efforts',
  'splits_metric',
  'splits_standard',
  'laps',
  'photos',
  'similar_activities',
]

/** Maps activities with their details and streams, as far as the vendor has them. */
export function mapActivities(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const at = (position: number | null) => (position === null ? undefined : details[position])
  for (const { record, detail, streams } of requestsOf(answer).wanted) {
    if (data.read('workouts', record) === undefined || !isFields(record)) continue
    const known = at(detail)
    addActivity(data, isFields(known) ? { ...record, ...known } : record, at(streams))
  }
}

function addActivity(data: PageData, record: Fields, streams: unknown): void {
  const { id } = record
  const sport = record.sport_type ?? record.type
  const isNamed = (typeof id === 'string' && id !== '') || Number.isSafeInteger(id)
  if (!isNamed) data.quarantine('workouts', 'invalid_field', record)
  const start = isNamed ? startOf(data, record) : undefined
  const values = start && valuesOf(data, record)
  if (start === undefined || values === undefined) return
  const { elapsed, ...columns } = values
  const end = { at: start.at + elapsed * 1000, offset: start.offset }
  const stream = readStream(data, streams, {
    startedAt: start.at,
    sport,
    activityId: String(id),
  })
  const heartRates = (stream?.heartrate ?? []).flatMap((value, index) => {
    const second = (stream?.time[index] ?? 0) * 1000
    return value === null ? [] : [{ startedAt: second, endedAt: second, value }]
  })
  const zone = zoneOf(record.timezone, start.at)
  const added = data.addWorkout({
    recordId: String(id),
    start,
    end,
    // The vendor knows the model of a device and not what kind it is.
    sourceType: record.manual === true ? 'app' : 'unknown',
    ...(typeof record.device_name === 'string' && { deviceModel: record.device_name }),
    ...(zone !== undefined && start.offset !== null && { timeZone: zone }),
    sport: typeof sport === 'string' ? sport : '',
    values: columns,
    heartRates,
    raw: withoutLists(record),
  })
  if (added !== undefined && stream !== undefined) data.addStream(added.id, stream)
}

function withoutLists(record: Fields): Fields {
  if (!LISTS.some((name) => name in record)) return record
  return Object.fromEntries(Object.entries(record).filter(([name]) => !LISTS.includes(name)))
}

function startOf(data: PageData, record: Fields): VendorInstant | undefined {
  const start = data.instant('workouts', record.start_date, record)
  if (start === undefined) return undefined
  const { utc_offset: said, timezone, start_date_local: local } = record
  if (said !== undefined && said !== null) {
    if (Number.isInteger(said) && Math.abs(said as number) <= MOST_OFFSET_SECONDS) {
      return { at: start.at, offset: said as number }
    }
    data.quarantine('workouts', 'invalid_field', record)
    return undefined
  }
  // Older answers have the zone only; the number in its text is that of winter.
  const zone = zoneOf(timezone, start.at)
  if (zone !== undefined) return { at: start.at, offset: zoneOffsetSeconds(zone, start.at) }
  return { at: start.at, offset: offsetOfLocal(local, start.at) }
}

/** `(GMT-08:00) America/Los_Angeles` */
function zoneOf(text: unknown, at: number): string | undefined {
  const [, zone] = (typeof text === 'string' && /^\(GMT[^)]*\) ([A-Za-z]\S+)$/.exec(text)) || []
  return zone !== undefined && zoneOffsetSeconds(zone, at) !== null ? zone : undefined
}

/** The local time of the start is written as if it were UTC. */
function offsetOfLocal(local: unknown, at: number): number | null {
  const shown = typeof local === 'string' ? parseInstant(local)?.epochMilliseconds : undefined
  const offset = shown === undefined ? Number.NaN : (shown - at) / 1000
  return Number.isInteger(offset) && Math.abs(offset) <= MOST_OFFSET_SECONDS ? offset : null
}

function valuesOf(data: PageData, record: Fields) {
  const reader = data.read('workouts', record)
  const map = data.read('workouts', record.map ?? {})
  if (reader === undefined || map === undefined) return undefined
  const elapsed = reader.number('elapsed_time', 0, MOST_SECONDS)
  if (elapsed === null && reader.problem === undefined) {
    data.quarantine('workouts', 'invalid_end_date', record)
    return undefined
  }
  const polyline = isFields(record.map) ? record.map : {}
  const hasRates = record.has_heartrate !== false
  // Manual entries have 0 for all that the person did not enter.
  const recorded = (name: string, most: number) => {
    const value = reader.number(name, 0, most)
    return record.manual === true ? value || null : value
  }
  const power = recorded('average_watts', 10_000)
  const values = {
    elapsed: elapsed ?? 0,
    title: textOf(record.name),
    duration_active_second: reader.integer('moving_time', 0, MOST_SECONDS),
    heart_rate_mean: hasRates ? reader.heartRate('average_heartrate') : null,
    heart_rate_maximum: hasRates ? reader.heartRate('max_heartrate') : null,
    // The vendor writes 0 for what it does not know.
    distance_meter: reader.measured('distance', 1e8),
    calories: reader.measured('calories', 1e6),
    speed_mean: reader.measured('average_speed', 500),
    speed_maximum: reader.measured('max_speed', 500),
    elevation_gain_meter: recorded('total_elevation_gain', 1e6),
    elevation_maximum_meter: reader.number('elev_high', -1000, 20_000),
    elevation_minimum_meter: reader.number('elev_low', -1000, 20_000),
    power_mean: power,
    power_maximum: recorded('max_watts', 10_000),
    power_weighted_mean: recorded('weighted_average_watts', 10_000),
    power_source: power === null ? null : record.device_watts === true ? 'device' : 'estimate',
    map_polyline: textOf(polyline.polyline),
    map_summary_polyline: textOf(polyline.summary_polyline),
  }
  return data.isValid('workouts', reader, record) ? values : undefined
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.toWellFormed() : null

const SEXES: Readonly<Record<string, string>> = { M: 'male', F: 'female' }

/** Maps the athlete, of whom only the sex has a place; the vendor has no height and no birthday. */
export function mapAthlete(answer: unknown, data: PageData): void {
  const reader = data.read('profile', answer)
  if (reader === undefined || !isFields(answer)) return
  const { id, sex, weight } = answer
  data.addSummary('profile', {
    recordId: 'profile',
    start: { at: 0, offset: null },
    sourceType: 'app',
    values: { sex: (typeof sex === 'string' && SEXES[sex]) || null },
    // Names, places and pictures are not kept.
    raw: { id, sex, weight },
  })
}
