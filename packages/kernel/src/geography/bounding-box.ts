import { EARTH_RADIUS_MILES, type LngLat } from './distance.ts'

/** Limits of a box in degrees; `longitudes` has two ranges where it crosses the antimeridian. */
export interface BoundingBox {
  south: number
  north: number
  longitudes: [west: number, east: number][]
}

const DEGREES = 180 / Math.PI

/** Rounding must not put a point at the edge outside. */
const MARGIN_DEGREES = 1e-6

const WHOLE_CIRCLE: [number, number] = [-180, 180]

/**
 * Returns the smallest box around all points within this many miles. Not all points inside are
 * within them.
 */
export function boundingBoxOf({ lng, lat }: LngLat, radiusMiles: number): BoundingBox {
  const angle = radiusMiles / EARTH_RADIUS_MILES
  const south = lat - angle * DEGREES - MARGIN_DEGREES
  const north = lat + angle * DEGREES + MARGIN_DEGREES
  // Near a pole every longitude is close.
  if (south <= -90 || north >= 90) return { south, north, longitudes: [WHOLE_CIRCLE] }
  // Longitude where meridians touch the circle, which is nearer to the pole than its center.
  const half = Math.asin(Math.sin(angle) / Math.cos(lat / DEGREES)) * DEGREES + MARGIN_DEGREES
  const [west, east] = [lng - half, lng + half]
  if (west < -180)
    return {
      south,
      north,
      longitudes: [
        [west + 360, 180],
        [-180, east],
      ],
    }
  if (east > 180)
    return {
      south,
      north,
      longitudes: [
        [west, 180],
        [-180, east - 360],
      ],
    }
  return { south, north, longitudes: [[west, east]] }
}
