import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { type Insertable, sql } from 'kysely'
import type { MergedTable } from '../../catalog/index.ts'
import type { ServiceCentersTable } from '../service-centers.tables.ts'

export type NewServiceCenter = Insertable<ServiceCentersTable>

export const CENTERS_MERGE: MergedTable = {
  table: 'service_centers',
  key: ['lab_id', 'site_code'],
  columns: {
    lab_id: 'integer',
    site_code: 'text',
    name: 'text',
    first_line: 'text',
    second_line: 'text',
    city: 'text',
    state: 'text',
    zip_code: 'text',
    latitude: 'double precision',
    longitude: 'double precision',
    time_zone: 'text',
    phone_number: 'text',
    fax_number: 'text',
    website: 'text',
    hours: 'text',
    capabilities: 'text[]',
    bill_types: 'text[]',
    business_unit: 'text',
    is_active: 'boolean',
    is_sample: 'boolean',
  },
}

/** Arbitrary id of the advisory lock that serializes loads. */
const LOAD_LOCK_ID = 7_258_716_023

/** Makes other loads wait until the transaction ends. */
export async function lockCenterLoads(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOAD_LOCK_ID})`.execute(db)
}

export function listLabIds(db: Db): Promise<{ id: number; slug: string }[]> {
  return db.selectFrom('labs').select(['id', 'slug']).execute()
}

/**
 * Closes the open sites of these laboratories that are not in the list; a list of samples closes
 * only samples, and others only others.
 * @returns the number of closed sites
 */
export async function deactivateOtherCenters(
  db: Db,
  centers: readonly NewServiceCenter[],
  isSample: boolean,
): Promise<number> {
  const labIds = centers.map(({ lab_id: labId }) => labId)
  const codes = centers.map(({ site_code: code }) => code)
  const { numUpdatedRows } = await db
    .updateTable('service_centers')
    .set({ is_active: false })
    .where('lab_id', '=', anyOf(new Set(labIds)))
    .where('is_sample', '=', isSample)
    .where('is_active', '=', true)
    .where(
      sql<boolean>`not exists (
        select from unnest(${labIds}::integer[], ${codes}::text[]) as given (lab_id, site_code)
        where given.lab_id = service_centers.lab_id and given.site_code = service_centers.site_code)`,
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Returns the sites of operators, which the samples must not change. */
export function listOperatorSites(db: Db): Promise<{ lab_id: number; site_code: string }[]> {
  return db
    .selectFrom('service_centers')
    .select(['lab_id', 'site_code'])
    .where('is_sample', '=', false)
    .execute()
}

/** Returns the hash of the last load of a source; undefined without one. */
export async function findLoad(db: Db, source: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('service_center_loads')
    .select('content_hash')
    .where('source', '=', source)
    .executeTakeFirst()
  return row?.content_hash
}

/** Stores the hash of the last load of a source, by which an unchanged list is recognized. */
export async function storeLoad(db: Db, source: string, hash: Buffer, at: Date): Promise<void> {
  const load = { content_hash: hash, loaded_at: at }
  await db
    .insertInto('service_center_loads')
    .values({ source, ...load })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(load))
    .execute()
}
