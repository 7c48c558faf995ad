import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { ClickHouse } from '../src/platform/clickhouse/clickhouse.ts'

/** The stores of a deployment for tests. */
export interface Stores {
  pool: pg.Pool
  clickhouse: ClickHouse
  /** With the folder of files in it. */
  dataDirectory: string
}

interface TableDump {
  /** With its schema. */
  name: string
  columns: string[]
  /** JSON of the rows, as PostgreSQL writes it. */
  rows: string
}

interface PostgresDump {
  tables: TableDump[]
  sequences: { name: string; value: string }[]
}

const POSTGRES = 'postgres.json'

/** Writes all that is stored into a folder that is there: the catalog, too, whose ids are others in every template. */
export async function saveStores(stores: Stores, folder: string): Promise<void> {
  const { pool, clickhouse, dataDirectory } = stores
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const tables: TableDump[] = []
    for (const table of await listTables(client)) {
      const rows = await readRows(client, table.name)
      if (rows !== null) tables.push({ ...table, rows })
    }
    const sequences = await listSequences(client)
    await client.query('commit')
    writeFileSync(join(folder, POSTGRES), JSON.stringify({ tables, sequences }))
  } finally {
    client.release()
  }
  for (const { table, columns } of await listFilledTables(clickhouse)) {
    const sql = `select ${columns.join()} from ${table}`
    const bytes = await clickhouse.queryBytes(sql, {}, 'TabSeparated')
    writeFileSync(join(folder, `${table}.tsv`), bytes)
  }
  const files = join(dataDirectory, 'files')
  if (existsSync(files)) cpSync(files, join(folder, 'files'), { recursive: true })
}

async function listTables(client: pg.PoolClient): Promise<Omit<TableDump, 'rows'>[]> {
  const { rows } = await client.query(
    `select format('%I.%I', space.nspname, class.relname) as name,
      (select array_agg(format('%I', attname) order by attnum) from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class as class join pg_namespace as space on space.oid = class.relnamespace
    where class.relkind = 'r' and space.nspname in ('public', 'graphile_worker')
      and class.relname not like '%migrations' order by 1`,
  )
  // An array of names is text to the driver.
  return rows.map(({ name, columns }) => ({ name, columns: readArray(columns) }))
}

const readArray = (value: string | string[]): string[] =>
  Array.isArray(value) ? value : value.slice(1, -1).split(',')

async function readRows(client: pg.PoolClient, name: string): Promise<string | null> {
  const { rows } = await client.query(`select json_agg(one)::text as rows from ${name} as one`)
  return rows[0].rows
}

async function listSequences(client: pg.PoolClient): Promise<PostgresDump['sequences']> {
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
    from pg_sequences where last_value is not null`,
  )
  return rows
}

function listFilledTables(clickhouse: ClickHouse): Promise<{ table: string; columns: string[] }[]> {
  return clickhouse.queryRows(
    `select table, arrayMap(pair -> pair.2, arraySort(groupArray((position, name)))) as columns
    from system.columns
    where database = currentDatabase() and default_kind in ('', 'DEFAULT')
      and table in (select name from system.tables where database = currentDatabase()
        and total_rows > 0 and engine like '%MergeTree' and name <> 'salus_migrations')
    group by table`,
  )
}

/** Fills the PostgreSQL of a migrated, empty deployment with what was saved. */
export async function restorePostgres(pool: pg.Pool, folder: string): Promise<void> {
  const dump: PostgresDump = JSON.parse(readFileSync(join(folder, POSTGRES), 'utf8'))
  const client = await pool.connect()
  try {
    await client.query('begin')
    // What refers to what was in order when it was saved.
    await client.query("set local session_replication_role = 'replica'")
    for (const { name } of dump.tables) await client.query(`delete from ${name}`)
    for (const { name, columns, rows } of dump.tables) {
      await client.query(
        `insert into ${name} (${columns.join()}) overriding system value
        select ${columns.join()} from json_populate_recordset(null::${name}, $1)`,
        [rows],
      )
    }
    for (const { name, value } of dump.sequences) {
      await client.query('select setval($1, $2::bigint)', [name, value])
    }
    await client.query(
      'update graphile_worker._private_jobs set locked_at = null, locked_by = null',
    )
    await client.query(
      'update graphile_worker._private_job_queues set locked_at = null, locked_by = null',
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

/** Fills ClickHouse and the folder of files with what was saved. */
export async function restoreData(
  { clickhouse, dataDirectory }: Omit<Stores, 'pool'>,
  folder: string,
): Promise<void> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.tsv'))) {
    const table = file.slice(0, -'.tsv'.length)
    const found = await clickhouse.queryRows<{ name: string }>(
      `select name from system.columns where database = currentDatabase() and table = {table:String}
        and default_kind in ('', 'DEFAULT') order by position`,
      { table },
    )
    const columns = found.map(({ name }) => name)
    await clickhouse.insert(table, columns, readFileSync(join(folder, file)))
  }
  const files = join(folder, 'files')
  if (!existsSync(files)) return
  mkdirSync(dataDirectory, { recursive: true })
  cpSync(files, join(dataDirectory, 'files'), { recursive: true })
}
