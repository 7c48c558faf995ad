import type { ClickHouse, ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import { StartupError } from '@salus/kernel/errors'
import type { AppliedMigration, Migration } from '@salus/kernel/migrations'
import {
  type ClickHouseTable,
  listClickHouseTables,
  loadClickHouseTable,
} from './clickhouse-copy.ts'
import { isEqual, requireNothingPending } from './move-postgres.ts'
import { countLines, type MoveRecord, type ReportMove, unequalError } from './move-record.ts'
import type { TableChecksum } from './postgres-copy.ts'

/** The source and the target column store, both with the schema of this version. */
export interface ClickHouseMove {
  source: ClickHouse
  target: ClickHouse
  record: MoveRecord
  report: ReportMove
}

/**
 * Users whose hash has the same remainder: a part of a table that is copied and checked at once.
 */
interface Slice {
  table: ClickHouseTable
  number: number
  of: number
}

/** Some seconds of work, which a kill loses at most. */
const ROWS_OF_A_SLICE = 1_000_000
const MOST_SLICES = 256

/**
 * Copies all tables, those with many rows in slices of users. A slice is recorded when it is equal
 * in both stores: the number of rows and a checksum over those that count. An interrupted slice is
 * copied again, which does not change existing rows.
 * @returns tables and rows
 * @throws StartupError when something is not equal
 */
export async function moveClickHouse(
  move: ClickHouseMove,
): Promise<{ tables: number; rows: number }> {
  const { source, target, report } = move
  const tables = await listClickHouseTables(source)
  requireSameTables(tables, await listClickHouseTables(target))
  const counts = new Map<ClickHouseTable, number>()
  for (const table of tables) counts.set(table, await countRows(source, table))
  const total = [...counts.values()].reduce((sum, rows) => sum + rows, 0)
  let done = 0
  const count = (rows: number): void => {
    done += rows
    report({ store: 'clickhouse', done, total })
  }
  for (const [table, rows] of counts) {
    const of = Math.min(MOST_SLICES, Math.max(1, Math.ceil(rows / ROWS_OF_A_SLICE)))
    for (let number = 0; number < of; number += 1)
      await moveSlice(move, { table, number, of }, count)
  }
  return { tables: tables.length, rows: total }
}

async function moveSlice(
  { source, target, record }: ClickHouseMove,
  slice: Slice,
  count: (rows: number) => void,
): Promise<void> {
  const { table, number, of } = slice
  const name = `clickhouse ${table.name} ${number}/${of}`
  const expected = await checksumSlice(source, slice)
  const before = record.find(name)
  if (before !== undefined) {
    if (!isEqual(before, expected)) throw unequalError(table.name)
    count(await countRows(source, table, inSlice(slice)))
    return
  }
  const rows = source.queryStream(
    `select ${columnsOf(table)} from \`${table.name}\` where ${inSlice(slice)}`,
    {},
    'TabSeparated',
  )
  await loadClickHouseTable(target, table, countLines(rows, count))
  if (!isEqual(await checksumSlice(target, slice), expected)) throw unequalError(table.name)
  record.add(name, expected)
}

const inSlice = ({ number, of }: Slice): string => `sipHash64(user_id) % ${of} = ${number}`
const columnsOf = ({ columns }: ClickHouseTable): string =>
  columns.map((column) => `\`${column}\``).join(', ')

async function countRows(
  reader: ClickHouseReader,
  { name }: ClickHouseTable,
  where = '1',
): Promise<number> {
  const [found] = await reader.queryRows<{ rows: number }>(
    `select count() as rows from \`${name}\` where ${where}`,
  )
  return Number(found?.rows)
}

/** Returns a checksum of the rows that count, in any parts. */
async function checksumSlice(reader: ClickHouseReader, slice: Slice): Promise<TableChecksum> {
  const { table } = slice
  const [found] = await reader.queryRows<TableChecksum>(
    `select count() as rows, toString(sum(sipHash64(toString(tuple(${columnsOf(table)}))))) as checksum
    from \`${table.name}\` final where ${inSlice(slice)} settings max_threads = 2`,
  )
  return found as TableChecksum
}

function requireSameTables(
  source: readonly ClickHouseTable[],
  target: readonly ClickHouseTable[],
): void {
  const known = new Map(target.map(({ name, columns }) => [name, columns.toSorted().join()]))
  if (source.every(({ name, columns }) => known.get(name) === columns.toSorted().join())) return
  throw new StartupError('The tables of CLICKHOUSE_URL are not those of this version of Salus.')
}

/** @throws StartupError when the schema is not that of this version */
export async function requireCurrentClickHouse(
  clickhouse: ClickHouse,
  migrations: readonly Migration[],
): Promise<void> {
  const applied = await clickhouse.queryRows<AppliedMigration>(
    'SELECT number, name, checksum FROM salus_migrations FINAL ORDER BY number',
  )
  requireNothingPending(applied, migrations)
}
