import polylineCodec from '@googlemaps/polyline-codec'
import type { Reading, WorkoutStream } from '../summaries/index.ts'
import type { PageData } from './page-data.ts'

type Channel = Exclude<keyof WorkoutStream, 'time'>

/** What a device recorded at an instant of a workout, in the units of workout streams. */
export interface WorkoutPoint {
  /** Unix seconds. */
  second: number
  /** Null and undefined where the device recorded nothing. */
  values: Partial<Record<Channel, unknown>>
}

/** A recording in the forms in which a workout has it. */
export interface WorkoutRecording {
  stream: WorkoutStream
  heartRates: readonly Reading[]
  /** Encoded polylines of the whole route, and of at most a hundred points; null without one. */
  route: { map_polyline: string; map_summary_polyline: string } | null
}

/** Values outside are errors of a device. */
const RANGES: Readonly<Record<Channel, readonly [least: number, most: number]>> = {
  cadence: [0, 1000],
  altitude: [-1000, 20_000],
  velocity_smooth: [0, 500],
  heartrate: [10, 350],
  lat: [-90, 90],
  lng: [-180, 180],
  distance: [0, 1e8],
  power: [0, 20_000],
  resistance: [-1e6, 1e6],
  temperature: [-100, 150],
}
const CHANNELS = Object.keys(RANGES) as Channel[]
const [RATE, LATITUDE, LONGITUDE] = (['heartrate', 'lat', 'lng'] as const).map((channel) =>
  CHANNELS.indexOf(channel),
) as [number, number, number]

/** Values of a point, in the order of CHANNELS. */
type PointValues = (number | null)[]

const SUMMARY_POINTS = 100
/** Encoded lines have five decimals, about a meter. */
const PRECISION = 5
/** Unix seconds of 2300-01-01. */
const LAST_SECOND = 10_413_792_000

/**
 * Converts recorded points; of several in one second the last counts. A value outside its range is
 * left out, and its point is quarantined.
 * @returns undefined for a recording without any value
 */
export function recordingOf(
  data: PageData,
  points: readonly WorkoutPoint[],
): WorkoutRecording | undefined {
  const bySecond = new Map<number, PointValues>()
  for (const point of points) {
    if (!(point.second >= 0 && point.second < LAST_SECOND)) {
      data.quarantine('workout_stream', 'invalid_start_date', point)
      continue
    }
    const values = soundValues(data, point)
    if (values !== undefined) bySecond.set(Math.floor(point.second), values)
  }
  if (bySecond.size === 0) return undefined
  const ordered = [...bySecond].sort(([a], [b]) => a - b)
  const stream: { time: number[] } & Partial<Record<Channel, PointValues>> = {
    time: ordered.map(([second]) => second),
  }
  for (const [index, channel] of CHANNELS.entries()) {
    const column = ordered.map(([, values]) => values[index] ?? null)
    if (column.some((value) => value !== null)) stream[channel] = column
  }
  const heartRates: Reading[] = []
  for (const [second, values] of ordered) {
    const value = values[RATE] ?? null
    if (value === null) continue
    heartRates.push({ startedAt: second * 1000, endedAt: second * 1000, value })
  }
  return { stream, heartRates, route: routeOf(ordered.map(([, values]) => values)) }
}

/** @returns undefined for a point without any value */
function soundValues(data: PageData, point: WorkoutPoint): PointValues | undefined {
  const sound: PointValues = []
  let isEmpty = true
  for (const channel of CHANNELS) {
    const value = soundValue(data, channel, point)
    sound.push(value)
    if (value !== null) isEmpty = false
  }
  return isEmpty ? undefined : sound
}

function soundValue(data: PageData, channel: Channel, point: WorkoutPoint): number | null {
  const value = point.values[channel] ?? null
  // Devices record a heart rate of 0 when the sensor has none.
  if (value === null || (channel === 'heartrate' && value === 0)) return null
  const [least, most] = RANGES[channel]
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    data.quarantine('workout_stream', 'invalid_value', point)
    return null
  }
  if (value < least || value > most) {
    data.quarantine('workout_stream', 'out_of_range', point)
    return null
  }
  return channel === 'heartrate' ? Math.round(value) : value
}

function routeOf(points: readonly PointValues[]): WorkoutRecording['route'] {
  const line: [number, number][] = []
  for (const values of points) {
    const [lat, lng] = [values[LATITUDE] ?? null, values[LONGITUDE] ?? null]
    if (lat !== null && lng !== null) line.push([lat, lng])
  }
  if (line.length < 2) return null
  const step = Math.max(1, (line.length - 1) / (SUMMARY_POINTS - 1))
  const count = Math.min(line.length, SUMMARY_POINTS)
  const fewer = Array.from(
    { length: count },
    (_, index) => line[Math.round(index * step)] as [number, number],
  )
  return {
    map_polyline: polylineCodec.encode(line, PRECISION),
    map_summary_polyline: polylineCodec.encode(fewer, PRECISION),
  }
}
