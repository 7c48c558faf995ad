import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import fc from 'fast-check'
import { boundingBoxOf } from './bounding-box.ts'
import { distanceMiles, type LngLat } from './distance.ts'

function isInside(
  { lng, lat }: LngLat,
  { south, north, longitudes }: ReturnType<typeof boundingBoxOf>,
) {
  if (lat < south || lat > north) return false
  return longitudes.some(([west, east]) => lng >= west && lng <= east)
}

const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
/** A middle, and a point some degrees away, more of them where meridians are close. */
const pair = fc
  .record({ lng: degrees(180), lat: degrees(90), east: degrees(180), north: degrees(3) })
  .map(({ lng, lat, east, north }) => {
    const other = Math.max(-90, Math.min(90, lat + north))
    const step = east * Math.min(1, 0.02 / Math.max(0.0001, Math.cos((other * Math.PI) / 180)))
    const wrapped = ((((lng + step + 180) % 360) + 360) % 360) - 180
    return [
      { lng, lat },
      { lng: wrapped, lat: other },
    ] as const
  })

test('every point within the radius is in the box, at poles and the antimeridian too', () => {
  let within = 0
  fc.assert(
    fc.property(pair, fc.constantFrom(10, 20, 25, 50, 100), ([middle, point], radius) => {
      if (distanceMiles(middle, point) > radius) return
      within++
      assert.ok(isInside(point, boundingBoxOf(middle, radius)), JSON.stringify([middle, point]))
    }),
    { numRuns: 20_000, seed: 13 },
  )
  assert.ok(within > 2000, `only ${within} pairs were within the radius`)
})

test('the box is no larger than it has to be', () => {
  // At 60 degrees a degree of longitude is half as long: 69.09 miles are 1 degree and about 2.
  const { south, north, longitudes } = boundingBoxOf({ lng: 179, lat: 60 }, 69.094)
  assert.deepEqual([south.toFixed(2), north.toFixed(2)], ['59.00', '61.00'])
  const rounded = longitudes.map((range) => range.map((degree) => degree.toFixed(2)))
  assert.deepEqual(rounded, [
    ['177.00', '180.00'],
    ['-180.00', '-179.00'],
  ])
})
