import { readFileSync } from 'node:fs'
import { distanceMiles } from '@salus/kernel/geography/distance'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import { parse } from 'csv-parse/sync'
import { type Answer, createHarness, type Harness } from './harness.ts'

const SAMPLES = new URL('../../lab/data/service-centers/sample-sites.csv', import.meta.url)
/** The shipped directory, row by row as its file has it. */
export const SAMPLE_SITES: readonly Record<string, string>[] = parse(
  readFileSync(SAMPLES, 'utf8'),
  { columns: true },
)

/** A site of an answer. */
export interface ListedSite {
  site_code: string
  distance: string
  capabilities: string[]
  supported_bill_types: string[]
}

export interface CentersFixture {
  harness: Harness
  /** By slug. */
  labIds: Record<string, number>
  /** Sites around a ZIP code. @param more Further parameters, `&radius=10`. */
  list(zip: string, lab?: string, more?: string, headers?: object): Promise<Answer>
  area(zip: string, more?: string, headers?: object): Promise<Answer>
}

/** The application with the sample directory, and the requests of these tests. */
export async function createCentersFixture(): Promise<CentersFixture> {
  const harness = await createHarness()
  const { body } = await harness.call('GET', '/v3/lab_tests/labs')
  const labs: { id: number; slug: string }[] = body
  const labIds = Object.fromEntries(labs.map(({ id, slug }) => [slug, id]))
  const get = (url: string, headers: object) => harness.call('GET', url, undefined, headers)
  return {
    harness,
    labIds,
    list: (zip, lab = 'quest', more = '', headers = {}) =>
      get(`/v3/order/psc/info?zip_code=${zip}&lab_id=${labIds[lab]}${more}`, headers),
    area: (zip, more = '', headers = {}) =>
      get(`/v3/order/area/info?zip_code=${zip}${more}`, headers),
  }
}

/**
 * All that is within the radius, nearest first: from the file, and by a formula that another test
 * checks.
 */
export async function expectedSites(
  zip: string,
  lab: string,
  radiusMiles: number,
  capabilities: readonly string[] = [],
): Promise<{ site_code: string; miles: number }[]> {
  const found = await findZipCode(zip)
  if (found === undefined || found.isMilitary) return []
  const center = { lng: found.longitude, lat: found.latitude }
  return SAMPLE_SITES.filter((site) => site.lab === lab && site.is_active !== 'false')
    .filter((site) => capabilities.every((it) => site.capabilities?.split(' ').includes(it)))
    .map((site) => ({
      site_code: site.site_code ?? '',
      miles: distanceMiles(center, { lng: Number(site.longitude), lat: Number(site.latitude) }),
    }))
    .filter(({ miles }) => miles <= radiusMiles)
    .sort((a, b) => a.miles - b.miles || (a.site_code < b.site_code ? -1 : 1))
}
