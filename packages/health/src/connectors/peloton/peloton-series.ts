import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { recordingOf, type WorkoutPoint, type WorkoutRecording } from '../workout-points.ts'
import type { Fields } from './peloton-pages.ts'

const METERS_A_MILE = 1609.344
const METERS_A_FOOT = 0.3048

type Convert = (value: number, unit: string) => number | undefined

const times =
  (factors: Readonly<Record<string, number>>): Convert =>
  (value, unit) => {
    const factor = factors[unit]
    return factor === undefined ? undefined : value * factor
  }

/** Units of the account, by the factors to those of streams and summaries. */
const SPEED = times({
  mph: METERS_A_MILE / 3600,
  kph: 1000 / 3600,
  'km/h': 1000 / 3600,
  'm/s': 1,
})
const LENGTH = times({ mi: METERS_A_MILE, km: 1000, m: 1, ft: METERS_A_FOOT })
const SAME: Convert = (value) => value
/** Meters that take the minutes of a pace. */
const MINUTE_UNITS: Readonly<Record<string, number>> = {
  'min/mi': METERS_A_MILE,
  'min/km': 1000,
  'min/500m': 500,
}
/** 0 is a pace that is not known. */
const FROM_MINUTES: Convert = (value, unit) => {
  const meters = MINUTE_UNITS[unit]
  return meters === undefined || value <= 0 ? undefined : meters / (60 * value)
}

/** Metrics by the channel of streams, the first that a workout has. Other units are left out. */
const CHANNELS: readonly [WorkoutChannel, readonly (readonly [slug: string, Convert])[]][] = [
  ['heartrate', [['heart_rate', SAME]]],
  ['power', [['output', SAME]]],
  [
    'cadence',
    [
      ['cadence', SAME],
      ['stroke_rate', SAME],
    ],
  ],
  ['resistance', [['resistance', SAME]]],
  [
    'velocity_smooth',
    [
      ['speed', SPEED],
      ['pace', FROM_MINUTES],
      ['split_pace', FROM_MINUTES],
    ],
  ],
  ['altitude', [['altitude', LENGTH]]],
]
type WorkoutChannel = keyof WorkoutPoint['values']

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the entries of a list by their `slug`, with those that stand for the same otherwise. */
function bySlug(list: unknown): ReadonlyMap<unknown, Fields> {
  const entries = listOf(list).filter(isFields)
  const others = entries.flatMap(({ alternatives }) => listOf(alternatives).filter(isFields))
  return new Map([...others, ...entries].map((entry) => [entry.slug, entry]))
}

/** Converts a number in the unit that stands beside it; undefined where there is none. */
const inUnit = (value: unknown, { display_unit: unit }: Fields, convert: Convert) =>
  typeof value === 'number' ? convert(value, String(unit ?? '').toLowerCase()) : undefined

/** A metric of a channel, with the conversion of its values. */
function metricOf(metrics: ReadonlyMap<unknown, Fields>, channel: WorkoutChannel) {
  const [, names = []] = CHANNELS.find(([name]) => name === channel) ?? []
  for (const [slug, convert] of names) {
    const metric = metrics.get(slug)
    if (metric !== undefined) return { metric, convert }
  }
  return { metric: {} as Fields, convert: SAME }
}

/** What the series of a workout says of the whole: undefined for what it does not have. */
export function totalsOf(series: unknown) {
  const { metrics, summaries }: Fields = isFields(series) ? series : {}
  const known = bySlug(metrics)
  const totals = bySlug(summaries)
  const total = (slug: string, convert: Convert) => {
    const found = totals.get(slug) ?? {}
    // What is no number is left to the reader, which quarantines it.
    return typeof found.value === 'number' ? inUnit(found.value, found, convert) : found.value
  }
  const whole = (channel: WorkoutChannel, field: 'average_value' | 'max_value') => {
    const { metric, convert } = metricOf(known, channel)
    return inUnit(metric[field], metric, convert)
  }
  return {
    calories: total('calories', SAME),
    distance_meter: total('distance', LENGTH),
    elevation_gain_meter: total('elevation', LENGTH),
    heart_rate_mean: whole('heartrate', 'average_value'),
    heart_rate_maximum: whole('heartrate', 'max_value'),
    power_mean: whole('power', 'average_value'),
    power_maximum: whole('power', 'max_value'),
    speed_mean: whole('velocity_smooth', 'average_value'),
    speed_maximum: whole('velocity_smooth', 'max_value'),
  }
}

/** Whether a workout has a route. */
export const hasRoute = (series: unknown): boolean =>
  isFields(series) && positionsOf(series.location_data).size > 0

/**
 * Reads the series of a workout: `{"seconds_since_pedaling_start": [0, 1, …], "metrics": [{"slug",
 * "display_unit", "values"}], "location_data"}`. A list may be shorter than that of the seconds.
 * @param startedAt Epoch milliseconds.
 */
export function recordingOfSeries(
  data: PageData,
  series: unknown,
  startedAt: number,
): WorkoutRecording | undefined {
  const {
    seconds_since_pedaling_start: seconds,
    metrics,
    location_data,
  }: Fields = isFields(series) ? series : {}
  const start = Math.round(startedAt / 1000)
  const known = bySlug(metrics)
  const columns = CHANNELS.map(([channel]) => [channel, metricOf(known, channel)] as const)
  const positions = positionsOf(location_data)
  const points = listOf(seconds).map((passed, index): WorkoutPoint => {
    const values = columns.map(([channel, { metric, convert }]) => {
      const value = listOf(metric.values)[index]
      return [channel, typeof value === 'number' ? inUnit(value, metric, convert) : value]
    })
    const second = typeof passed === 'number' ? start + passed : Number.NaN
    return { second, values: { ...Object.fromEntries(values), ...positions.get(passed) } }
  })
  return points.length === 0 ? undefined : recordingOf(data, points)
}

/** Returns the positions of a workout outdoors, by the seconds since its start. */
function positionsOf(location: unknown): ReadonlyMap<unknown, { lat: unknown; lng: unknown }> {
  const coordinates = listOf(location).flatMap((part) =>
    isFields(part) ? listOf(part.coordinates) : [],
  )
  return new Map(
    coordinates
      .filter(isFields)
      .map(({ seconds_offset_from_start: passed, latitude: lat, longitude: lng }) => [
        passed,
        { lat, lng },
      ]),
  )
}
