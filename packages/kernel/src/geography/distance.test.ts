import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import fc from 'fast-check'
import { distanceMiles, type LngLat } from './distance.ts'

/**
 * Returns the same distance another way: from the angle between two vectors from the center of the
 * Earth, by both products.
 */
function vectorDistanceMiles(a: LngLat, b: LngLat): number {
  const [ax, ay, az] = toVector(a)
  const [bx, by, bz] = toVector(b)
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
  const kilometers = 6371.0088 * Math.atan2(cross, ax * bx + ay * by + az * bz)
  return kilometers / 1.609344
}

function toVector({ lng, lat }: LngLat): [number, number, number] {
  const east = (lng / 180) * Math.PI
  const north = (lat / 180) * Math.PI
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}

function assertSameDistance(a: LngLat, b: LngLat) {
  const expected = vectorDistanceMiles(a, b)
  const off = Math.abs(distanceMiles(a, b) - expected)
  assert.ok(off <= expected * 0.001, `${JSON.stringify([a, b])}: ${off} miles off ${expected}`)
}

const point = fc.record({
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
})
const nearTo = (center: LngLat) =>
  fc
    .record({
      lng: fc.double({ min: -3, max: 3, noNaN: true }),
      lat: fc.double({ min: -2, max: 2, noNaN: true }),
    })
    .map(({ lng, lat }) => ({
      lng: ((center.lng + lng + 540) % 360) - 180,
      lat: Math.max(-90, Math.min(90, center.lat + lat)),
    }))

for (const [where, pairs] of [
  ['anywhere', fc.tuple(point, point)],
  ['within a hundred miles or two', point.chain((a) => fc.tuple(fc.constant(a), nearTo(a)))],
  [
    'across the antimeridian',
    fc.tuple(nearTo({ lng: 180, lat: 52 }), nearTo({ lng: -180, lat: 52 })),
  ],
  ['near the poles', fc.tuple(nearTo({ lng: 10, lat: 90 }), nearTo({ lng: -170, lat: 89 }))],
] as const) {
  test(`a distance ${where} is that of another formula within 0.1 %`, () => {
    // Points closer than a foot are left out: there both formulas measure their own rounding.
    const apart = pairs.filter(([a, b]) => vectorDistanceMiles(a, b) > 2e-4)
    fc.assert(
      fc.property(apart, ([a, b]) => assertSameDistance(a, b)),
      { numRuns: 1000, seed: 13 },
    )
  })
}

test('distances that can be looked up are right', () => {
  const newYork = { lng: -74.006, lat: 40.7128 }
  assert.equal(Math.round(distanceMiles(newYork, { lng: -118.2437, lat: 34.0522 })), 2446)
  // A degree of latitude is 69.09 miles on this sphere, wherever it is.
  assert.equal(distanceMiles({ lng: 0, lat: 0 }, { lng: 0, lat: 1 }).toFixed(2), '69.09')
  // Half of the Earth's circumference.
  assert.equal(Math.round(distanceMiles({ lng: 12, lat: 34 }, { lng: -168, lat: -34 })), 12437)
  assert.equal(distanceMiles(newYork, newYork), 0)
})
