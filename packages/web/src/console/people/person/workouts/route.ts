import type { components } from '../../../api/openapi.generated.d.ts'
import type { Workout } from './workout-facts.ts'

export interface RoutePoint {
  latitude: number
  longitude: number
}

/**
 * Returns the route of a workout from its points or its polyline; undefined when none was recorded.
 */
export function findRoute(
  workout: Workout,
  stream: components['schemas']['WorkoutStream'] | undefined,
): RoutePoint[] | undefined {
  const line = workout.map?.polyline ?? workout.map?.summary_polyline
  const points = pointsOf(stream) ?? (line ? decodePolyline(line) : [])
  return points.length > 1 ? points : undefined
}

function pointsOf(
  stream: components['schemas']['WorkoutStream'] | undefined,
): RoutePoint[] | undefined {
  const points = (stream?.lat ?? []).flatMap((latitude, index) => {
    const longitude = stream?.lng[index] ?? null
    return latitude === null || longitude === null ? [] : [{ latitude, longitude }]
  })
  return points.length > 1 ? points : undefined
}

/**
 * Decodes a polyline: differences of coordinates in 1e-5 degrees, five bits a letter, the sign in
 * the lowest bit.
 */
export function decodePolyline(text: string): RoutePoint[] {
  const numbers: number[] = []
  for (let index = 0; index < text.length; ) {
    let value = 0
    let bits = 0
    for (let letter = 32; letter >= 32 && index < text.length; bits += 5) {
      letter = text.charCodeAt(index) - 63
      index += 1
      value += (letter & 31) * 2 ** bits
    }
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2)
  }
  const points: RoutePoint[] = []
  let [latitude, longitude] = [0, 0]
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    latitude += numbers[index] as number
    longitude += numbers[index + 1] as number
    points.push({ latitude: latitude / 1e5, longitude: longitude / 1e5 })
  }
  return points
}
