import type { VisitAddress } from '@salus/contracts/lab-gateway'
import type { LngLat } from '@salus/kernel/geography/distance'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import type { Scope } from '@salus/kernel/scope'
import { BILLINGS, type Billing } from '../catalog/index.ts'
import { type OpeningHours, readOpeningHours } from './opening-hours.ts'
import type { ServiceCenterRow } from './service-centers.global.repository.ts'
import * as repository from './service-centers.global.repository.ts'
import type { Capability } from './service-centers.schema.ts'

/** A site where a laboratory collects. */
export interface ServiceCenter {
  labSlug: string
  /** Code of the site at the laboratory. */
  siteCode: string
  name: string
  address: VisitAddress
  location: LngLat
  /** IANA time zone. */
  timeZone: string
  phoneNumber: string | null
  faxNumber: string | null
  website: string | null
  hours: OpeningHours | null
  capabilities: Capability[]
  /** Billing types of the site; lab accounts may allow fewer. */
  billTypes: readonly Billing[]
  /** False for a closed site: existing appointments may refer to it, and new ones are refused. */
  isActive: boolean
  /** Whether the site belongs to the fictitious directory of sandboxes. */
  isSample: boolean
  /** Distance from the center of the ZIP code, after a search by ZIP code. */
  distanceMiles?: number
}

export interface NearbySearch {
  labId: number
  /** Only the first five digits are used. An unknown or military ZIP code has no sites. */
  zip: string
  radiusMiles: number
  /** Sites must have all of these capabilities. */
  capabilities?: readonly Capability[]
  /** Includes sites of these business units, and those without one. */
  businessUnits?: readonly string[] | null
  limit?: number
}

/** Most sites of a listing (docs/contract/14-appointments-and-psc.md#get-v3orderpscinfo). */
const MOST_CENTERS = 30

/** Returns open sites around a ZIP code, nearest first. */
export async function listServiceCentersNear(
  { db, environment }: Scope,
  search: NearbySearch,
): Promise<ServiceCenter[]> {
  const center = await locateZip(search.zip)
  if (center === undefined) return []
  const { labId, radiusMiles, capabilities = [], businessUnits = null } = search
  const rows = await repository.listNearestCenters(
    db,
    environment.kind,
    { labId, center, radiusMiles, capabilities, businessUnits },
    search.limit ?? MOST_CENTERS,
  )
  return rows.map((row) => ({
    ...toServiceCenter(row, row.lab_slug),
    distanceMiles: row.distance_miles,
  }))
}

/**
 * Returns the point from which distances to a ZIP code are measured; undefined for an unknown one.
 */
export async function locateZip(zip: string): Promise<LngLat | undefined> {
  const found = await findZipCode(zip)
  if (found === undefined || found.isMilitary) return undefined
  return { lng: found.longitude, lat: found.latitude }
}

/**
 * Returns a site by its code, open or closed; undefined when the environment's directory does not
 * have it.
 */
export async function findServiceCenter(
  scope: Scope,
  labSlug: string,
  siteCode: string,
): Promise<ServiceCenter | undefined> {
  return (await listServiceCentersByCode(scope, labSlug, [siteCode]))[0]
}

/** Returns sites by code, open or closed, in the order of the codes; unknown ones are left out. */
export async function listServiceCentersByCode(
  { db, environment }: Scope,
  labSlug: string,
  siteCodes: readonly string[],
): Promise<ServiceCenter[]> {
  const rows = await repository.listCentersByCode(db, environment.kind, labSlug, siteCodes)
  const byCode = new Map(rows.map((row) => [row.site_code, toServiceCenter(row, labSlug)]))
  return [...new Set(siteCodes)].flatMap((code) => byCode.get(code) ?? [])
}

function toServiceCenter(row: ServiceCenterRow, labSlug: string): ServiceCenter {
  const { first_line, second_line, city, state, zip_code } = row
  return {
    labSlug,
    siteCode: row.site_code,
    name: row.name,
    address: { first_line, second_line, city, state, zip_code, access_notes: null },
    location: { lng: row.longitude, lat: row.latitude },
    timeZone: row.time_zone,
    phoneNumber: row.phone_number,
    faxNumber: row.fax_number,
    website: row.website,
    hours: row.hours === null ? null : (readOpeningHours(row.hours) ?? null),
    capabilities: row.capabilities,
    billTypes: row.bill_types ?? BILLINGS,
    isActive: row.is_active,
    isSample: row.is_sample,
  }
}
