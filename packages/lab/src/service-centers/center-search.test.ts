import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import { distanceMiles, type LngLat } from '@salus/kernel/geography/distance'
import fc from 'fast-check'
import { createTestDatabase } from '../../../server/test/database.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { listNearestCenters } from './service-centers.global.repository.ts'

const database = useFixture(createTestDatabase)
let labId: number
before(async () => {
  const { rows } = await database.pool.query("select id from labs where slug = 'crl'")
  labId = rows[0].id
})

/** Points at the antimeridian, at a pole, and in a city. */
const MIDDLES: LngLat[] = [
  { lng: 180, lat: 52 },
  { lng: -180, lat: -14 },
  { lng: 30, lat: 90 },
  { lng: -74, lat: 40.7 },
]
const wrap = (lng: number): number => ((((lng + 180) % 360) + 360) % 360) - 180

/** Coordinates of lists are stored with six decimals. */
const toStored = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

const point = fc
  .record({
    middle: fc.constantFrom(...MIDDLES),
    east: fc.double({ min: -2.5, max: 2.5, noNaN: true }),
    north: fc.double({ min: -1.5, max: 1.5, noNaN: true }),
    anywhere: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  .map(({ middle, east, north, anywhere }) => {
    const lat = middle.lat === 90 ? 90 - Math.abs(north) : middle.lat + north
    const lng = middle.lat === 90 ? anywhere : wrap(middle.lng + east)
    return { lng: toStored(lng), lat: toStored(lat) }
  })

async function storeSites(points: readonly LngLat[]): Promise<Map<string, LngLat>> {
  const sites = points.map(({ lng, lat }, index) => ({ code: `S${index}`, lng, lat }))
  await database.pool.query(
    `insert into service_centers (lab_id, site_code, name, first_line, city, state, zip_code, latitude, longitude,
      time_zone, capabilities, is_active, is_sample)
    select $1, code, 'Site', '1 Main St', 'Town', 'AK', '99546', lat, lng, 'Etc/UTC', '{}', true, false
    from jsonb_to_recordset($2) as site (code text, lng double precision, lat double precision)`,
    [labId, JSON.stringify(sites)],
  )
  return new Map(sites.map(({ code, lng, lat }) => [code, { lng, lat }]))
}

test('a search finds what is within the radius, also across the antimeridian and at a pole', async () => {
  const sites = await storeSites(fc.sample(point, { numRuns: 400, seed: 13 }))
  // Two sites at one position are sorted by code.
  const twin = sites.get('S7') ?? { lng: 0, lat: 0 }
  await storeTwin('T7', twin)
  sites.set('T7', twin)
  let across = 0
  for (const center of fc.sample(point, { numRuns: 80, seed: 31 })) {
    for (const radiusMiles of [10, 100]) {
      const search = { labId, center, radiusMiles, capabilities: [], businessUnits: null }
      const found = await listNearestCenters(database.db, 'production', search, 30)
      const expected = [...sites]
        .map(([code, site]) => ({ code, miles: distanceMiles(center, site) }))
        .filter(({ miles }) => miles <= radiusMiles)
        .sort((a, b) => a.miles - b.miles || (a.code < b.code ? -1 : 1))
      assert.deepEqual(
        found.map(({ site_code: code }) => code),
        expected.slice(0, 30).map(({ code }) => code),
      )
      for (const [index, { distance_miles: miles, longitude }] of found.entries()) {
        assert.ok(Math.abs(miles - (expected[index]?.miles ?? 0)) < 1e-6)
        if (Math.abs(longitude - center.lng) > 300) across++
      }
    }
  }
  assert.ok(across > 50, `only ${across} sites were found across the antimeridian`)
})

async function storeTwin(code: string, { lng, lat }: LngLat): Promise<void> {
  await database.pool.query(
    `insert into service_centers
    select lab_id, $1, name, first_line, second_line, city, state, zip_code, $2, $3, time_zone, phone_number,
      fax_number, website, hours, capabilities, bill_types, business_unit, is_active, is_sample
    from service_centers where lab_id = $4 and site_code = 'S7'`,
    [code, lat, lng, labId],
  )
}
