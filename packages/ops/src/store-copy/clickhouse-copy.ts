import type { ClickHouse, ClickHouseReader } from '@salus/kernel/clickhouse/clickhouse'
import { StartupError } from '@salus/kernel/errors'
import type { TableChecksum } from './postgres-copy.ts'

/** Part of a table of ClickHouse that copying its rows needs. */
export interface ClickHouseTable {
  name: string
  /** Columns that are stored and not computed from others. */
  columns: string[]
}

const FORMAT = 'TabSeparated'
/** An insert is completely in memory on both sides. */
const INSERT_BYTES = 16 * 1024 ** 2
const NEWLINE = 10
/** Prefix of the names of clones. */
const CLONE = 'backup_of_'
/** Tables that a server stores for itself. */
const OF_SERVER = ['salus_migrations', 'salus_placements', 'salus_moved_buckets']

/**
 * Returns all tables with rows of the service, by the names that statements use: in a cluster the
 * distributed ones, which read the others.
 */
export async function listClickHouseTables(reader: ClickHouseReader): Promise<ClickHouseTable[]> {
  const tables = await reader.queryRows<ClickHouseTable>(
    `select of_table as name, groupArray(of_column) as columns from
      (select table as of_table, name as of_column from system.columns
      where database = currentDatabase() and default_kind not in ('EPHEMERAL', 'MATERIALIZED', 'ALIAS')
      order by table, position)
    group by of_table order by of_table`,
  )
  const names = new Set(tables.map(({ name }) => name))
  const isCopied = (name: string): boolean =>
    !OF_SERVER.includes(name) &&
    !name.startsWith(CLONE) &&
    !(name.endsWith('_local') && names.has(name.slice(0, -'_local'.length)))
  return tables.filter(({ name }) => isCopied(name))
}

/**
 * Whether no server holds a row of the service. Each server's own tables are checked: one that
 * worked alone holds rows that the cluster does not know yet.
 */
export async function isUnusedClickHouse(clickhouse: ClickHouseReader): Promise<boolean> {
  for (const server of serversOf(clickhouse)) {
    for (const { name } of await listClickHouseTables(server)) {
      const rows = await server.queryRows(`select 1 as is_there from \`${name}\` limit 1`)
      if (rows.length > 0) return false
    }
  }
  return true
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/**
 * Yields the rows, one on each line, with earlier versions of them that the engine has not dropped
 * yet.
 */
export function dumpClickHouseTable(
  reader: ClickHouseReader,
  { name, columns }: ClickHouseTable,
): AsyncIterable<Uint8Array> {
  return reader.queryStream(`select ${list(columns)} from \`${name}\``, {}, FORMAT)
}

/**
 * Adds rows of `dumpClickHouseTable`. Rows that already exist do no harm: the newest version of
 * each counts.
 */
export async function loadClickHouseTable(
  clickhouse: ClickHouse,
  { name, columns }: ClickHouseTable,
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const lines of joinLines(rows)) await clickhouse.insert(name, columns, lines)
}

/** Joins chunks that may end inside a line into pieces of many whole lines. */
async function* joinLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    pending.push(chunk)
    bytes += chunk.length
    if (bytes < INSERT_BYTES) continue
    const joined = Buffer.concat(pending)
    const end = joined.lastIndexOf(NEWLINE) + 1
    if (end > 0) yield joined.subarray(0, end)
    pending = [joined.subarray(end)]
    bytes = joined.length - end
  }
  if (bytes > 0) yield Buffer.concat(pending)
}

/**
 * Returns a checksum of the rows that count. Two tables with the same checksum have the same rows,
 * in any parts.
 */
export async function checksumClickHouseTable(
  reader: ClickHouseReader,
  { name, columns }: ClickHouseTable,
): Promise<TableChecksum> {
  const [found] = await reader.queryRows<TableChecksum>(
    `select count() as rows, toString(sum(sipHash64(toString(tuple(${list(columns)}))))) as checksum
    from \`${name}\` final settings max_threads = 2`,
  )
  return found as TableChecksum
}

/** In a cluster each server has the rows that it holds itself. */
const serversOf = (reader: ClickHouseReader): readonly ClickHouseReader[] =>
  reader.cluster?.servers ?? [reader]

/**
 * @throws StartupError when a server of the cluster does not answer, because a copy of all rows
 *   needs all servers
 */
export function requireAllServers({ cluster }: ClickHouseReader): void {
  if (cluster === undefined || cluster.members.every(({ isUp }) => isUp)) return
  throw new StartupError(
    'A server of the ClickHouse cluster cannot be reached. Backups, restores and moves need all servers.',
  )
}

/**
 * Creates a copy of a table that does not change, at once and without more space: the two share
 * their files until the table has merged its own. In a cluster each server creates one of its own
 * rows.
 * @throws StartupError when a server of the cluster does not answer
 */
export async function cloneClickHouseTable(
  reader: ClickHouseReader,
  { name }: ClickHouseTable,
): Promise<void> {
  requireAllServers(reader)
  for (const server of serversOf(reader)) {
    const [source] = await server.queryRows<{ engine: string }>(
      `select engine_full as engine from system.tables where database = currentDatabase() and name = {name:String}`,
      { name },
    )
    // A clone of a replicated table would be a replica of it.
    const engine = (source?.engine ?? '').replace(
      /^Replicated(\w+)\('[^']*', '[^']*'(?:, )?/,
      '$1(',
    )
    await server.command(`create table \`${CLONE}${name}\` as \`${name}\` engine = ${engine}`)
    const partitions = await server.queryRows<{ id: string }>(
      `select distinct partition_id as id from system.parts
      where database = currentDatabase() and table = {name:String} and active`,
      { name },
    )
    for (const { id } of partitions) {
      await server.command(
        `alter table \`${CLONE}${name}\` attach partition id '${id}' from \`${name}\``,
      )
    }
  }
}

/**
 * Yields the rows of the clones. A cluster yields those of each server, so a row occurs as often as
 * it has replicas.
 */
export async function* dumpClickHouseClone(
  reader: ClickHouseReader,
  { name, columns }: ClickHouseTable,
): AsyncGenerator<Uint8Array> {
  for (const server of serversOf(reader)) {
    yield* dumpClickHouseTable(server, { name: `${CLONE}${name}`, columns })
  }
}

/** Removes the clones, also those that a killed process left. */
export async function dropClones(reader: ClickHouseReader): Promise<void> {
  for (const server of serversOf(reader)) {
    const clones = await server.queryRows<{ name: string }>(
      `select name from system.tables where database = currentDatabase() and startsWith(name, '${CLONE}')`,
    )
    for (const { name } of clones) await server.command(`drop table if exists \`${name}\` sync`)
  }
}
