import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LngLat } from '@salus/kernel/geography/distance'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import {
  type CentersFixture,
  createCentersFixture,
  type ListedSite,
  SAMPLE_SITES,
} from '../../../server/test/centers-fixture.ts'
import { seededRandom } from '../../../server/test/webhooks/webhook-sink.ts'

let fixture: CentersFixture

before(async () => {
  fixture = await createCentersFixture()
})
after(() => fixture?.harness.close())

const PAIRS = 1000
const LABS = ['quest', 'labcorp', 'bioreference', 'sonora_quest']
const RADII = [10, 20, 25, 50, 100]
/** Half of the last digit in responses. */
const ROUNDING_MILES = 0.0005

/** Uses the spherical law of cosines in kilometers: another formula and unit than the service. */
function milesBetween(a: LngLat, b: LngLat): number {
  const [aLat, bLat, apart] = [a.lat, b.lat, b.lng - a.lng].map((it) => (it * Math.PI) / 180) as [
    number,
    number,
    number,
  ]
  const cosine = Math.sin(aLat) * Math.sin(bLat) + Math.cos(aLat) * Math.cos(bLat) * Math.cos(apart)
  return (6371.0088 * Math.acos(Math.min(1, cosine))) / 1.609344
}

test('1,000 listed distances are those of another formula, in order and within the radius', async () => {
  const random = seededRandom(13)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  let pairs = 0
  while (pairs < PAIRS) {
    const zip = pick(SAMPLE_SITES).zip_code?.slice(0, 5) ?? ''
    const found = await findZipCode(zip)
    assert.ok(found, zip)
    const middle = { lng: found.longitude, lat: found.latitude }
    const radius = pick(RADII)
    const { body } = await fixture.list(zip, pick(LABS), `&radius=${radius}`)
    const sites: (ListedSite & { location: LngLat })[] = body.patient_service_centers
    assert.ok(sites.length <= 30)
    let before = 0
    for (const { site_code: code, distance, location } of sites) {
      const expected = milesBetween(middle, location)
      const off = Math.abs(Number(distance) - expected)
      assert.ok(
        off <= expected * 0.001 + ROUNDING_MILES,
        `${zip} ${code}: ${distance}, ${expected}`,
      )
      assert.ok(Number(distance) >= before && expected <= radius + ROUNDING_MILES)
      before = Number(distance)
    }
    pairs += sites.length
  }
})
