import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { recordingOf, type WorkoutPoint, type WorkoutRecording } from '../workout-points.ts'
import type { Fields } from './peloton-pages.ts'

const METERS_A_MILE = 1609.344
const METERS_A_FOOT = 0.3048

/** Factors to the units of streams and summaries, by the unit that the account shows. */
const SPEEDS: Readonly<Record<string, number>> = {
  mph: METERS_A_MILE / 3600,
  kph: 1000 / 3600,
  'km/h': 1000 / 3600,
  'm/s': 1,
}
const LENGTHS: Readonly<Record<string, number>> = {
  mi: METERS_A_MILE,
  km: 1000,
  m: 1,
  ft: METERS_A_FOOT,
}
const AS_IS: Readonly<Record<string, number>> = {}

/** Metrics by the channel of streams. A metric in a unit that is not known is left out. */
const CHANNELS = [
  ['heartrate', 'heart_rate', AS_IS],
  ['power', 'output', AS_IS],
  ['cadence', 'cadence', AS_IS],
  ['resistance', 'resistance', AS_IS],
  ['velocity_smooth', 'speed', SPEEDS],
  ['altitude', 'altitude', LENGTHS],
] as const

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the entries of a list by their `slug`. */
function bySlug(list: unknown): ReadonlyMap<unknown, Fields> {
  return new Map(
    listOf(list)
      .filter(isFields)
      .map((entry) => [entry.slug, entry]),
  )
}

/** Reads a number in the unit that stands beside it; undefined where there is none. */
function inUnit(value: unknown, unit: unknown, factors: Readonly<Record<string, number>>) {
  const factor = factors === AS_IS ? 1 : factors[String(unit).toLowerCase()]
  return typeof value === 'number' && factor !== undefined ? value * factor : undefined
}

/** What the series of a workout says of the whole: undefined for what it does not have. */
export function totalsOf(series: unknown) {
  const { metrics, summaries }: Fields = isFields(series) ? series : {}
  const [rate, output, speed] = ['heart_rate', 'output', 'speed'].map((name) =>
    bySlug(metrics).get(name),
  )
  const [distance, calories] = ['distance', 'calories'].map((name) => bySlug(summaries).get(name))
  return {
    calories: calories?.value,
    distance_meter: inUnit(distance?.value, distance?.display_unit, LENGTHS),
    heart_rate_mean: rate?.average_value,
    heart_rate_maximum: rate?.max_value,
    power_mean: output?.average_value,
    power_maximum: output?.max_value,
    speed_mean: inUnit(speed?.average_value, speed?.display_unit, SPEEDS),
    speed_maximum: inUnit(speed?.max_value, speed?.display_unit, SPEEDS),
  }
}

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
  const found = bySlug(metrics)
  const positions = positionsOf(location_data)
  const points = listOf(seconds).map((passed, index): WorkoutPoint => {
    const values = CHANNELS.map(([channel, slug, factors]) => {
      const { values: column, display_unit: unit }: Fields = found.get(slug) ?? {}
      const value = listOf(column)[index]
      return [channel, typeof value === 'number' ? inUnit(value, unit, factors) : value]
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
