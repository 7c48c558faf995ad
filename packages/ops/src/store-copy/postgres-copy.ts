import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

/** Part of a table of PostgreSQL that copying its rows needs. */
export interface PostgresTable {
  schema: string
  name: string
  /** Columns that are stored; generated ones are computed. */
  columns: string[]
}

/** Tables that creating the schema fills, so they are never copied. */
const OF_THE_SCHEMA = ['public.salus_migrations', 'graphile_worker.migrations']

/** Settings that texts of rows depend on, so that two servers write the same. */
const TEXT_SETTINGS = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex'`

export const nameOf = ({ schema, name }: Pick<PostgresTable, 'schema' | 'name'>): string =>
  `${schema}.${name}`

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const refer = ({ schema, name }: PostgresTable): string => `${quote(schema)}.${quote(name)}`
const list = (names: readonly string[]): string => names.map(quote).join(', ')

/**
 * Returns all tables with rows of the service, including those of the job queue and without caches,
 * which are unlogged; each comes after
 * all tables that it references.
 */
export async function listPostgresTables(client: pg.ClientBase): Promise<PostgresTable[]> {
  const { rows } = await client.query<PostgresTable & { parents: string[] }>(`
    select schemas.nspname::text as schema, tables.relname::text as name,
      (select coalesce(array_agg(attname::text order by attnum), '{}') from pg_attribute
        where attrelid = tables.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select coalesce(array_agg(distinct parent_schema.nspname || '.' || parent.relname), '{}')
        from pg_constraint
        join pg_class parent on parent.oid = confrelid
        join pg_namespace parent_schema on parent_schema.oid = parent.relnamespace
        where conrelid = tables.oid and contype = 'f' and confrelid <> conrelid) as parents
    from pg_class tables
    join pg_namespace schemas on schemas.oid = tables.relnamespace
    where tables.relkind in ('r', 'p') and not tables.relispartition and tables.relpersistence = 'p' and schemas.nspname in ('public', 'graphile_worker')
      and not exists (select from pg_depend where objid = tables.oid and deptype = 'e')
    order by 1, 2`)
  const found = rows.filter((row) => !OF_THE_SCHEMA.includes(nameOf(row)))
  return sortByParents(found).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

function sortByParents<Row extends { schema: string; name: string; parents: string[] }>(
  rows: readonly Row[],
): Row[] {
  const sorted = new Map<string, Row>()
  let waiting = [...rows]
  while (waiting.length > 0) {
    const ready = waiting.filter(({ parents }) => parents.every((parent) => sorted.has(parent)))
    if (ready.length === 0) throw new Error('Tables of PostgreSQL refer to each other in a cycle.')
    for (const row of ready) sorted.set(nameOf(row), row)
    waiting = waiting.filter((row) => !sorted.has(nameOf(row)))
  }
  return [...sorted.values()]
}

/**
 * Yields the rows in the text form of COPY, one on each line. The client must be in a transaction
 * and do nothing else meanwhile.
 */
export async function* dumpPostgresTable(
  client: pg.ClientBase,
  table: PostgresTable,
): AsyncGenerator<Buffer> {
  await client.query(TEXT_SETTINGS)
  yield* client.query(copyTo(`copy (select ${list(table.columns)} from ${refer(table)}) to stdout`))
}

/**
 * Adds rows of `dumpPostgresTable` in the transaction of the client, without those that triggers of
 * the schema would add.
 * @throws Error when a column no longer exists
 */
export async function loadPostgresTable(
  client: pg.ClientBase,
  table: PostgresTable,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  await client.query(`alter table ${refer(table)} disable trigger user`)
  const into = client.query(copyFrom(`copy ${refer(table)} (${list(table.columns)}) from stdin`))
  await pipeline(rows, into)
  await client.query(`alter table ${refer(table)} enable trigger user`)
}

/** Removes the rows that migrations created, in the transaction of the client. */
export async function emptyPostgresTables(
  client: pg.ClientBase,
  tables: readonly PostgresTable[],
): Promise<void> {
  const names = tables.map(refer)
  // Partitions have triggers of their own.
  const { rows } = await client.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = any($1::regclass[])',
    [names],
  )
  const all = [...names, ...rows.map(({ name }) => name)]
  for (const name of all) await client.query(`alter table ${name} disable trigger user`)
  if (names.length > 0) await client.query(`truncate ${names.join(', ')}`)
  for (const name of all) await client.query(`alter table ${name} enable trigger user`)
}

/** Sets the sequences of the tables to continue after the largest number in use. */
export async function advanceSequences(
  client: pg.ClientBase,
  tables: readonly PostgresTable[],
): Promise<void> {
  for (const table of tables) {
    for (const column of table.columns) {
      await client.query(
        `select setval(sequence, greatest(1, greatest_number), greatest_number is not null)
        from pg_get_serial_sequence($1, $2) as sequence,
          (select max(${quote(column)}::text::numeric)::bigint as greatest_number from ${refer(table)}) as used
        where sequence is not null`,
        [refer(table), column],
      )
    }
  }
}

/**
 * Number of rows, and a sum over their contents that does not depend on their order; equal for
 * equal tables.
 */
export interface TableChecksum {
  rows: number
  checksum: string
}

/** Reads a whole table. It needs a transaction, in which it sets how texts of rows are written. */
export async function checksumPostgresTable(
  client: pg.ClientBase,
  table: PostgresTable,
): Promise<TableChecksum> {
  await client.query(TEXT_SETTINGS)
  const { rows } = await client.query<{ rows: string; checksum: string }>(`
    select count(*)::text as rows,
      coalesce(sum(('x' || substr(md5(row(${list(table.columns)})::text), 1, 16))::bit(64)::bigint), 0)::text
        as checksum
    from ${refer(table)}`)
  return { rows: Number(rows[0]?.rows), checksum: String(rows[0]?.checksum) }
}
