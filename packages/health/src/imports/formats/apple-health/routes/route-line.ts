import polylineCodec from '@googlemaps/polyline-codec'
import type { RoutePoint } from './gpx-points.ts'
import { type Coordinates, simplifyLine } from './simplify-line.ts'

/** Numbers of a route, as columns of equal length in order of time, at most one point a second. */
export interface RouteLine {
  /** Unix seconds. */
  time: number[]
  latitude: number[]
  longitude: number[]
  altitude: (number | null)[]
  /** Meters per second. */
  speed: (number | null)[]
  /** Meters from the start. */
  distance: number[]
}

const EARTH_RADIUS_METERS = 6_371_008.8
const SUMMARY_POINTS = 100
/** Encoded lines have five decimals, about a meter. */
const PRECISION = 5
/** Noise of a receiver's altitude while standing still. */
const ALTITUDE_NOISE_METERS = 2

/** Orders the points of the routes of a workout; returns undefined for fewer than two. */
export function toRouteLine(points: readonly RoutePoint[]): RouteLine | undefined {
  const line: RouteLine = {
    time: [],
    latitude: [],
    longitude: [],
    altitude: [],
    speed: [],
    distance: [],
  }
  let last: RoutePoint | undefined
  let meters = 0
  for (const point of points.toSorted((a, b) => a.at - b.at)) {
    const second = Math.floor(point.at / 1000)
    if (line.time.at(-1) === second) continue
    const step = last === undefined ? 0 : metersBetween(last, point)
    const seconds = last === undefined ? 0 : (point.at - last.at) / 1000
    meters += step
    line.time.push(second)
    line.latitude.push(point.latitude)
    line.longitude.push(point.longitude)
    line.altitude.push(point.altitudeMeter)
    line.distance.push(round(meters))
    const said = point.speed !== null && point.speed >= 0 ? point.speed : null
    line.speed.push(said ?? (seconds > 0 ? round(step / seconds) : null))
    last = point
  }
  return line.time.length < 2 ? undefined : line
}

/** Centimeters are finer than any receiver. */
const round = (meters: number): number => Math.round(meters * 100) / 100

/** Returns the great-circle distance on a sphere. */
function metersBetween(a: RoutePoint, b: RoutePoint): number {
  const radians = Math.PI / 180
  const [from, to] = [a.latitude * radians, b.latitude * radians]
  const north = Math.sin((to - from) / 2) ** 2
  const east = Math.sin(((b.longitude - a.longitude) * radians) / 2) ** 2
  const share = north + Math.cos(from) * Math.cos(to) * east
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(share)))
}

/** Encodes the whole line, and one of at most a hundred points. */
export function encodeLine({ latitude, longitude }: RouteLine): {
  polyline: string
  summaryPolyline: string
} {
  const points = latitude.map((value, index): Coordinates => [value, longitude[index] as number])
  const text = (line: readonly Coordinates[]) =>
    polylineCodec.encode(
      line.map(([north, east]): [number, number] => [north, east]),
      PRECISION,
    )
  return { polyline: text(points), summaryPolyline: text(simplifyLine(points, SUMMARY_POINTS)) }
}

/** Returns the highest and lowest point, and the meters climbed; null without altitudes. */
export function elevationOf({ altitude }: RouteLine): {
  gain: number
  maximum: number
  minimum: number
} | null {
  const known = altitude.filter((meters) => meters !== null)
  const first = known[0]
  if (first === undefined) return null
  const elevation = { gain: 0, maximum: first, minimum: first }
  // Climbs are measured between points that differ by more than noise.
  let base = first
  for (const meters of known) {
    elevation.maximum = Math.max(elevation.maximum, meters)
    elevation.minimum = Math.min(elevation.minimum, meters)
    if (Math.abs(meters - base) < ALTITUDE_NOISE_METERS) continue
    elevation.gain += Math.max(0, meters - base)
    base = meters
  }
  return elevation
}
