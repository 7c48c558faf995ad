import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import { EXPECTED_RESULTS_MERGE, type MergedTable } from './catalog-columns.registry.ts'
import type { Changes } from './catalog-format.schema.ts'

type Row = Record<string, unknown>

/** Rows in one statement: enough to amortize its cost, few enough to keep its text small. */
const BATCH_ROWS = 5000

/** Arbitrary id of the advisory lock that serializes loads. */
const LOAD_LOCK_ID = 7_258_716_010

/** Makes other loads wait until the transaction ends. */
export async function lockCatalogLoads(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOAD_LOCK_ID})`.execute(db)
}

/**
 * Inserts the rows whose key the table does not have, and updates those that differ. Equal rows are
 * not written, which saves index work and ids.
 */
export async function mergeRows(
  db: Db,
  merged: MergedTable,
  rows: readonly Row[],
): Promise<Changes> {
  const total = { inserted: 0, updated: 0, unchanged: 0 }
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS)
    const { inserted, updated } = await mergeBatch(db, merged, batch)
    total.inserted += inserted
    total.updated += updated
    total.unchanged += batch.length - inserted - updated
  }
  return total
}

async function mergeBatch(
  db: Db,
  { table, key, condition = 'true', columns, fixed = {} }: MergedTable,
  rows: readonly Row[],
): Promise<{ inserted: number; updated: number }> {
  const target = sql.table(table)
  const names = Object.keys(columns)
  const given = recordsOf(rows, { ...columns, ...fixed })
  const column = (from: string, name: string) => sql.ref(`${from}.${name}`)
  const list = (from: string, of: readonly string[]) => sql.join(of.map((it) => column(from, it)))
  const isSame = sql.join(
    [sql.raw(condition), ...key.map((it) => sql`${column(table, it)} = ${column('given', it)}`)],
    sql` and `,
  )
  const written = [...names, ...Object.keys(fixed)]
  const { rows: counts } = await sql<{ inserted: number; updated: number }>`
    with given as (${given}),
    updated as (
      update ${target}
      set ${sql.join(names.map((it) => sql`${sql.ref(it)} = ${column('given', it)}`))}
      from given
      where ${isSame}
        and (${list(table, names)}) is distinct from (${list('given', names)})
      returning 1
    ),
    inserted as (
      insert into ${target} (${sql.join(written.map((it) => sql.ref(it)))})
      select ${list('given', written)} from given
      where not exists (select 1 from ${target} where ${isSame})
      returning 1
    )
    select (select count(*) from inserted) as inserted, (select count(*) from updated) as updated
  `.execute(db)
  return counts[0] ?? { inserted: 0, updated: 0 }
}

/** Sends rows as one JSON text and reads them with the types of their columns. */
function recordsOf(rows: readonly Row[], columns: Record<string, string>) {
  const types = Object.entries(columns).map(
    ([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`,
  )
  return sql`select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (${sql.join(types)})`
}

/**
 * Deletes the expected results of these markers that the catalog no longer has, or whose code
 * changed: a result keeps its id only while it means the same.
 * @returns the number of deleted rows
 */
export async function deleteStaleResults(
  db: Db,
  markerIds: readonly number[],
  rows: readonly Row[],
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with given as (${recordsOf(rows, EXPECTED_RESULTS_MERGE.columns)})
    delete from expected_results
    where marker_id = any(${markerIds})
      and not exists (
        select 1 from given
        where given.marker_id = expected_results.marker_id
          and given.position = expected_results.position
          and given.provider_id is not distinct from expected_results.provider_id
          and given.loinc_id is not distinct from expected_results.loinc_id
      )
  `.execute(db)
  return Number(numAffectedRows)
}

export function listLoincs(
  db: Db,
): Promise<
  { id: number; code: string; name: string; component: string | null; unit: string | null }[]
> {
  return db.selectFrom('loincs').select(['id', 'code', 'name', 'component', 'unit']).execute()
}

export function listLabIds(
  db: Db,
): Promise<{ id: number; slug: string; has_compendium: boolean }[]> {
  return db.selectFrom('labs').select(['id', 'slug', 'has_compendium']).execute()
}

/** Returns the keys of the markers of some laboratories. */
export function listMarkerKeys(
  db: Db,
  labIds: readonly number[],
): Promise<
  { id: number; lab_id: number; provider_id: string | null; slug: string; is_active: boolean }[]
> {
  return db
    .selectFrom('markers')
    .select(['id', 'lab_id', 'provider_id', 'slug', 'is_active'])
    .where('lab_id', '=', sql<number>`any(${labIds})`)
    .orderBy('id')
    .execute()
}

/** Reserves ids for new markers, in ascending order. */
export async function reserveMarkerIds(db: Db, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('markers', 'id')) as id
    from generate_series(1, ${count}::integer)
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Excludes markers from searches and orders; their rows stay. */
export async function deactivateMarkers(db: Db, markerIds: readonly number[]): Promise<void> {
  await db
    .updateTable('markers')
    .set({ is_active: false })
    .where('id', '=', sql<number>`any(${markerIds})`)
    .execute()
}

/** Returns the accounts of these laboratories with their owners. */
export function listAccounts(
  db: Db,
  labIds: readonly number[],
): Promise<
  {
    lab_id: number
    provider_account_id: string
    organization_id: string | null
    team_id_allowlist: string[]
  }[]
> {
  return db
    .selectFrom('lab_accounts')
    .select(['lab_id', 'provider_account_id', 'organization_id', 'team_id_allowlist'])
    .where('lab_id', '=', sql<number>`any(${labIds})`)
    .execute()
}

/** Returns the hash of the last load of each source. */
export async function listLoads(db: Db): Promise<Map<string, Buffer>> {
  const rows = await db.selectFrom('catalog_loads').select(['source', 'content_hash']).execute()
  return new Map(rows.map(({ source, content_hash: hash }) => [source, hash]))
}

export async function hasLabs(db: Db): Promise<boolean> {
  const found = await db.selectFrom('labs').select('id').limit(1).executeTakeFirst()
  return found !== undefined
}

/** Stores the hash of the last load of a source, by which an unchanged catalog is recognized. */
export async function storeLoad(db: Db, source: string, hash: Buffer, at: Date): Promise<void> {
  const load = { content_hash: hash, loaded_at: at }
  await db
    .insertInto('catalog_loads')
    .values({ source, ...load })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(load))
    .execute()
}

/** The last load of each source, so that a start does not repeat it. */
export interface CatalogLoadsTable {
  source: string
  content_hash: Buffer
  loaded_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    catalog_loads: CatalogLoadsTable
  }
}
