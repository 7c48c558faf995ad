import { EARTH_RADIUS_MILES, type LngLat } from './distance.ts'

/**
 * Degrees between which a point may lie; `longitudes` has two ranges where the antimeridian is
 * crossed.
 */
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
 * The smallest box around all points within so many miles. Not all that is inside is within them.
 */
export function boundingBoxOf({ lng, lat }: LngLat, radiusMiles: number): BoundingBox {
  const angle = radiusMiles / EARTH_RADIUS_MILES
  const south = lat - angle * DEGREES - MARGIN_DEGREES
  const north = lat + angle * DEGREES + MARGIN_DEGREES
  // Around a pole every longitude is near.
  if (south <= -90 || north >= 90) return { south, north, longitudes: [WHOLE_CIRCLE] }
  // Where meridians touch the circle, which is farther toward the pole than its middle.
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
