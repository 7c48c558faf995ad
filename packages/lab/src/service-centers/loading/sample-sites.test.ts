import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { distanceMiles } from '@salus/kernel/geography/distance'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import { SAMPLE_SITES } from '../../../../server/test/centers-fixture.ts'
import { readOpeningHours } from '../opening-hours.ts'

test('sample sites are named as samples, and have no telephone', () => {
  assert.equal(SAMPLE_SITES.length, 4810)
  for (const site of SAMPLE_SITES) {
    assert.match(site.name ?? '', /^Sample site \d+, /)
    assert.match(site.site_code ?? '', /^SAMPLE-\d+$/)
    assert.equal('phone_number' in site, false)
  }
})

test('sample sites are in the state, the zone and about the area of their ZIP codes', async () => {
  const distances: number[] = []
  for (const { zip_code: zip = '', state, time_zone: zone, ...site } of SAMPLE_SITES) {
    const found = await findZipCode(zip)
    assert.deepEqual([found?.state, found?.timeZone], [state, zone], zip)
    assert.ok(site.hours && readOpeningHours(site.hours), site.hours)
    const zipCenter = { lng: found?.longitude ?? 0, lat: found?.latitude ?? 0 }
    const location = { lng: Number(site.longitude), lat: Number(site.latitude) }
    distances.push(distanceMiles(location, zipCenter))
  }
  distances.sort((a, b) => a - b)
  assert.ok((distances[distances.length / 2] ?? 99) < 2)
  assert.ok(distances.filter((miles) => miles > 25).length < 12)
})

test('sample sites are spread over laboratories, and some of each kind are there', () => {
  const counts = Object.groupBy(SAMPLE_SITES, ({ lab = '' }) => lab)
  const labs = Object.keys(counts).sort()
  assert.deepEqual(labs, ['bioreference', 'labcorp', 'nexus', 'quest', 'sonora_quest'])
  assert.ok(counts.sonora_quest?.every(({ state }) => state === 'AZ'))
  for (const lab of ['quest', 'sonora_quest']) {
    const bookable = counts[lab]?.filter((site) => site.capabilities?.includes('via_service')) ?? []
    assert.ok(bookable.length > 30 && bookable.length < (counts[lab]?.length ?? 0), lab)
  }
  assert.ok(SAMPLE_SITES.some(({ is_active: isActive }) => isActive === 'false'))
})
