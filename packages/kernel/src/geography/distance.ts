/**
 * A point on Earth in degrees: `lng` −180…180, east is positive; `lat` −90…90, north is positive.
 */
export interface LngLat {
  lng: number
  lat: number
}

/** Mean radius of the Earth (IUGG), 6,371.0088 km. */
export const EARTH_RADIUS_MILES = 3958.7613

const RADIANS = Math.PI / 180

/**
 * Returns the great-circle distance in statute miles, by the haversine formula on a sphere.
 * Compared with the ellipsoid it is off by 0.5 % at most. The antimeridian and the poles need no
 * care, because only the sine of half the difference counts.
 */
export function distanceMiles(a: LngLat, b: LngLat): number {
  const halfLat = ((b.lat - a.lat) * RADIANS) / 2
  const halfLng = ((b.lng - a.lng) * RADIANS) / 2
  const square =
    Math.sin(halfLat) ** 2 +
    Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * Math.sin(halfLng) ** 2
  // Rounding may take the square of antipodes above 1.
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(Math.min(1, square)))
}
