import { type Insertable, sql } from 'kysely'
import { anyOf, partsOf, recordsOf } from '../../../platform/postgres/bulk.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { ServiceCentersTable } from '../service-centers.tables.ts'

export type NewServiceCenter = Insertable<ServiceCentersTable>

/** Any constant: lists are loaded one after the other. */
const LOAD_LOCK_ID = 7_258_716_023

/** Makes other loads wait until the transaction ends. */
export async function lockCenterLoads(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOAD_LOCK_ID})`.execute(db)
}

export function listLabIds(db: Db): Promise<{ id: number; slug: string }[]> {
  return db.selectFrom('labs').select(['id', 'slug']).execute()
}

/**
 * Inserts sites and updates those that differ; the same ones are not written. A sample never takes the place
 * of a site of an operator.
 */
export async function mergeCenters(
  db: Db,
  centers: readonly NewServiceCenter[],
): Promise<{ inserted: number; updated: number; unchanged: number }> {
  let [inserted, updated] = [0, 0]
  for (const part of partsOf(centers)) {
    const { columns, records } = recordsOf('service_centers', part)
    const written = columns.filter((name) => name !== 'lab_id' && name !== 'site_code')
    const row = (table: string) => sql.join(written.map((name) => sql.ref(`${table}.${name}`)))
    const isOther = sql<boolean>`(${row('service_centers')}) is distinct from (${row('excluded')})`
    const isReplaceable = sql<boolean>`service_centers.is_sample >= excluded.is_sample`
    const merged = await db
      .insertInto('service_centers')
      .columns(columns)
      .expression(records)
      .onConflict((conflict) =>
        conflict
          .columns(['lab_id', 'site_code'])
          .doUpdateSet(
            Object.fromEntries(written.map((name) => [name, sql.ref(`excluded.${name}`)])),
          )
          .where(isOther)
          .where(isReplaceable),
      )
      // A row that was inserted has no transaction that ended it.
      .returning(sql<boolean>`xmax = 0`.as('is_new'))
      .execute()
    const isNew = merged.filter(({ is_new: isNew }) => isNew).length
    inserted += isNew
    updated += merged.length - isNew
  }
  return { inserted, updated, unchanged: centers.length - inserted - updated }
}

/**
 * Closes the open sites of these laboratories that are not in the list; samples by a list of samples, others by others.
 * @returns how many
 */
export async function closeOtherCenters(
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

/** Hash of what a source loaded last; undefined when it never did. */
export async function findLoad(db: Db, source: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('service_center_loads')
    .select('content_hash')
    .where('source', '=', source)
    .executeTakeFirst()
  return row?.content_hash
}

export async function storeLoad(db: Db, source: string, hash: Buffer, at: Date): Promise<void> {
  const load = { content_hash: hash, loaded_at: at }
  await db
    .insertInto('service_center_loads')
    .values({ source, ...load })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(load))
    .execute()
}
