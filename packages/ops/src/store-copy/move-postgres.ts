import { StartupError } from '@salus/kernel/errors'
import {
  type AppliedMigration,
  findPendingMigrations,
  type Migration,
} from '@salus/kernel/migrations'
import type pg from 'pg'
import { countLines, type MoveRecord, type ReportMove, unequalError } from './move-record.ts'
import {
  advanceSequences,
  checksumPostgresTable,
  dumpPostgresTable,
  emptyPostgresTables,
  listPostgresTables,
  loadPostgresTable,
  nameOf,
  type PostgresTable,
  type TableChecksum,
} from './postgres-copy.ts'

/** The source and the target database, both with the schema of this version. */
export interface PostgresMove {
  source: pg.Pool
  target: pg.Pool
  record: MoveRecord
  report: ReportMove
}

const PREPARED = 'postgres: prepared'

/** True when there is nothing except what starts of Salus create: a schema, and no organization. */
export async function isUnusedPostgres(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ tables: number; is_salus: boolean }>(`
    select count(*)::int as tables, to_regclass('public.organizations') is not null as is_salus
    from pg_tables where schemaname in ('public', 'graphile_worker')`)
  const [{ tables, is_salus: isSalus } = { tables: 0, is_salus: false }] = rows
  if (tables === 0 || !isSalus) return tables === 0
  const { rowCount } = await pool.query('select from organizations limit 1')
  return rowCount === 0
}

/**
 * Copies all tables, each in a transaction that commits only when the table is equal: the number of
 * rows and a checksum over their contents. Tables of an earlier run that are still equal do not
 * change.
 * @returns tables and rows
 * @throws StartupError when something is not equal
 */
export async function movePostgres(move: PostgresMove): Promise<{ tables: number; rows: number }> {
  const { source, target, record, report } = move
  const [from, to] = await Promise.all([source.connect(), target.connect()])
  try {
    await from.query('begin isolation level repeatable read read only')
    const tables = await listPostgresTables(from)
    requireSameTables(tables, await listPostgresTables(to))
    if (record.find(PREPARED) === undefined) {
      await inTransaction(to, () => emptyPostgresTables(to, tables))
      record.add(PREPARED, { rows: 0, checksum: '' })
    }
    const expected = new Map<PostgresTable, TableChecksum>()
    for (const table of tables) expected.set(table, await checksumPostgresTable(from, table))
    const total = [...expected.values()].reduce((sum, { rows }) => sum + rows, 0)
    let done = 0
    const count = (rows: number): void => {
      done += rows
      report({ store: 'postgres', done, total })
    }
    for (const [table, checksum] of expected) {
      await moveTable({ from, to, table, checksum, record, count })
    }
    await inTransaction(to, () => advanceSequences(to, tables))
    return { tables: tables.length, rows: total }
  } finally {
    from.release(true)
    to.release(true)
  }
}

async function moveTable(options: {
  from: pg.ClientBase
  to: pg.ClientBase
  table: PostgresTable
  checksum: TableChecksum
  record: MoveRecord
  count: (rows: number) => void
}): Promise<void> {
  const { from, to, table, checksum, record, count } = options
  const name = `postgres ${nameOf(table)}`
  const before = record.find(name)
  if (before !== undefined) {
    if (!isEqual(before, checksum)) throw unequalError(nameOf(table))
    count(checksum.rows)
    return
  }
  await inTransaction(to, async () => {
    // The table is already filled when the process was killed after the commit. Nothing refers to
    // its rows yet.
    await to.query(`alter table ${nameOf(table)} disable trigger user`)
    await to.query(`delete from ${nameOf(table)}`)
    await loadPostgresTable(to, table, countLines(dumpPostgresTable(from, table), count))
    if (!isEqual(await checksumPostgresTable(to, table), checksum))
      throw unequalError(nameOf(table))
  })
  record.add(name, checksum)
}

async function inTransaction(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** Whether the number and the sum are equal, whether a count is a number or a text. */
export const isEqual = (one: TableChecksum, other: TableChecksum): boolean =>
  Number(one.rows) === Number(other.rows) && one.checksum === other.checksum

function requireSameTables(source: readonly PostgresTable[], target: readonly PostgresTable[]) {
  const describe = (tables: readonly PostgresTable[]) =>
    tables.map((table) => `${nameOf(table)} ${table.columns.toSorted().join()}`).toSorted()
  if (describe(source).join('\n') === describe(target).join('\n')) return
  throw new StartupError(
    'The tables of the target are not those of this version: does something else use its schemas public or graphile_worker?',
  )
}

/** @throws StartupError when the schema is not that of this version */
export async function requireCurrentPostgres(
  pool: pg.Pool,
  migrations: readonly Migration[],
): Promise<void> {
  const { rows } = await pool.query<AppliedMigration>(
    'select number, name, checksum from salus_migrations order by number',
  )
  requireNothingPending(rows, migrations)
}

/** @throws StartupError when migrations are missing, or the store has more of them */
export function requireNothingPending(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  if (findPendingMigrations([...applied], [...migrations]).length === 0) return
  throw new StartupError(
    'The data are of an earlier version of Salus. Start this version on them once, stop it, and then move them.',
  )
}
