import { boundingBoxOf } from '@salus/kernel/geography/bounding-box'
import { EARTH_RADIUS_MILES, type LngLat } from '@salus/kernel/geography/distance'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type Expression, type Selectable, type SqlBool, sql } from 'kysely'
import type { Capability } from './service-centers.schema.ts'
import { SERVICE_CENTER_COLUMNS, type ServiceCentersTable } from './service-centers.tables.ts'

export type ServiceCenterRow = Selectable<ServiceCentersTable>

/** SQL condition for the sites of an environment: sample sites are for sandboxes. */
const isSeenIn = (environment: EnvironmentKind) =>
  environment === 'sandbox' ? sql<boolean>`true` : sql<boolean>`not service_centers.is_sample`

/** Filters sites. */
export interface CenterSearch {
  labId: number
  center: LngLat
  radiusMiles: number
  /** Sites must have all of these capabilities. */
  capabilities: readonly Capability[]
  /** Includes sites of these business units, and those without one; null for all. */
  businessUnits: readonly string[] | null
}

/**
 * SQL of the distance to a row, equal to distanceMiles of platform/geography, which a test checks.
 */
function distanceTo({ lng, lat }: LngLat) {
  return sql<number>`2 * ${EARTH_RADIUS_MILES}::float8 * asin(least(1, sqrt(
    power(sin(radians(latitude - ${lat}::float8) / 2), 2)
      + cos(radians(latitude)) * cos(radians(${lat}::float8))
        * power(sin(radians(longitude - ${lng}::float8) / 2), 2))))`
}

/**
 * Selects open sites within the radius. The index finds a box of degrees, and the exact distance
 * decides; this is faster than the extension earthdistance
 * (docs/decisions/0032-search-of-service-centers.md).
 */
function centersWithin(db: Db, environment: EnvironmentKind, search: CenterSearch) {
  const { labId, center, radiusMiles, capabilities, businessUnits } = search
  const { south, north, longitudes } = boundingBoxOf(center, radiusMiles)
  let inBox = db
    .selectFrom('service_centers')
    .selectAll()
    .select(distanceTo(center).as('distance_miles'))
    .where('lab_id', '=', labId)
    .where('is_active', '=', sql<boolean>`true`)
    .where(isSeenIn(environment))
    .where((is) => is.between('latitude', south, north))
    .where((is) =>
      is.or(
        longitudes.map(([west, east]): Expression<SqlBool> => is.between('longitude', west, east)),
      ),
    )
  if (capabilities.length > 0) {
    inBox = inBox.where(sql<boolean>`capabilities @> ${[...capabilities]}::text[]`)
  }
  if (businessUnits !== null) {
    inBox = inBox.where((is) =>
      is.or([is('business_unit', 'is', null), is('business_unit', '=', anyOf(businessUnits))]),
    )
  }
  return db.selectFrom(inBox.as('service_centers')).where('distance_miles', '<=', radiusMiles)
}

/** Returns sites sorted by distance, then by code. */
export function listNearestCenters(
  db: Db,
  environment: EnvironmentKind,
  search: CenterSearch,
  limit: number,
): Promise<(ServiceCenterRow & { distance_miles: number; lab_slug: string })[]> {
  return centersWithin(db, environment, search)
    .innerJoin('labs', 'labs.id', 'service_centers.lab_id')
    .selectAll('service_centers')
    .select('labs.slug as lab_slug')
    .orderBy('distance_miles')
    .orderBy(sql`site_code collate "C"`)
    .limit(limit)
    .execute()
}

export interface CenterSummary {
  count: number
  /** Capabilities that at least one site has. */
  capabilities: Capability[]
}

/** Returns the number of sites within the radius, and their capabilities. */
export async function summarizeCenters(
  db: Db,
  environment: EnvironmentKind,
  search: CenterSearch,
): Promise<CenterSummary> {
  const found = await centersWithin(db, environment, search)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select('capabilities')
    .groupBy('capabilities')
    .execute()
  return {
    count: found.reduce((total, { count }) => total + Number(count), 0),
    capabilities: [...new Set(found.flatMap(({ capabilities }) => capabilities))],
  }
}

/** Returns sites by code, open or closed, unsorted. */
export function listCentersByCode(
  db: Db,
  environment: EnvironmentKind,
  labSlug: string,
  siteCodes: readonly string[],
): Promise<ServiceCenterRow[]> {
  return prepared(db)
    .selectFrom('service_centers')
    .innerJoin('labs', 'labs.id', 'service_centers.lab_id')
    .select(SERVICE_CENTER_COLUMNS.map((column) => `service_centers.${column}` as const))
    .where('labs.slug', '=', labSlug)
    .where('site_code', '=', anyOf(siteCodes))
    .where(isSeenIn(environment))
    .execute()
}

/** Returns whether the directory has a site of a laboratory. */
export async function hasCenters(
  db: Db,
  environment: EnvironmentKind,
  labId: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('service_centers')
    .select('site_code')
    .where('lab_id', '=', labId)
    .where(isSeenIn(environment))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
