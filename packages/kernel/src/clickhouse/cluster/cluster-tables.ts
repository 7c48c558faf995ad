import { StartupError } from '../../errors.ts'
import type { Migration } from '../../migrations.ts'
import type { ClickHouse } from '../clickhouse.ts'
import { migrateServer } from '../migrate-clickhouse.ts'
import type { ClusterServer } from './cluster-server.ts'
import { type Placement, placementSql } from './placement.ts'

/** Tables that each server keeps for itself. */
const OF_SERVER = `('salus_migrations', 'salus_placements')`

/** Applies migrations to the tables of one server; replicated ones where it can. */
export async function migrateOwnTables(
  server: ClusterServer,
  migrations: readonly Migration[],
): Promise<number[]> {
  const { own, hasKeeper } = server
  if (!hasKeeper) return migrateServer(own, migrations)
  const database = await currentDatabase(own)
  return migrateServer(own, migrations, (statement) => replicatedSql(statement, database))
}

/**
 * A statement of a migration with the engine that replicates. The path names the table as it was
 * made, because a table whose path follows its name cannot be renamed.
 */
export function replicatedSql(sql: string, database: string): string {
  const table = /^\s*create table if not exists (\w+)/i.exec(sql)?.[1]
  if (table === undefined || table.startsWith('salus_')) return sql
  const path = `/clickhouse/tables/{shard}/${database}/${table}`
  return sql.replace(
    /\bengine\s*=\s*(\w*MergeTree)\b(?:\(([^)]*)\))?/i,
    (_, engine: string, given = '') => {
      const rest = given === '' ? '' : `, ${given}`
      return `engine = Replicated${engine}('${path}', '{replica}'${rest})`
    },
  )
}

async function currentDatabase(clickhouse: ClickHouse): Promise<string> {
  const [row] = await clickhouse.queryRows<{ name: string }>('select currentDatabase() as name')
  return row?.name ?? ''
}

/** Makes the tables over all shards as the tables of this server and the placements are now. */
export async function makeDistributedTables(
  { own, all }: ClusterServer,
  cluster: string,
  placements: readonly Placement[],
): Promise<void> {
  const database = await currentDatabase(own)
  const held = await listDefinitions(own)
  const made = await listDefinitions(all)
  const placement = placementSql(placements)
  for (const [name, { columns }] of held) {
    const engine = `Distributed('${cluster}', '${database}', '${name}', ${placement})`
    const comment = `${columns} ${engine}`
    // The comment is compared, since the server writes a definition in words of its own.
    if (made.get(name)?.comment === comment) continue
    await all.command(
      `create or replace table ${name} as ${database}.${name} engine = ${engine}
      comment '${comment.replaceAll("'", "''")}'`,
    )
  }
  for (const name of made.keys()) {
    if (!held.has(name)) await all.command(`drop table if exists ${name}`)
  }
}

interface Definition {
  columns: string
  comment: string
}

/** The tables of the current database, each with a digest of its columns. */
async function listDefinitions(clickhouse: ClickHouse): Promise<Map<string, Definition>> {
  const rows = await clickhouse.queryRows<Definition & { name: string }>(
    `select tables.name as name, comment, columns
    from system.tables as tables
    join (
      select table, hex(sipHash128(groupArray((name, type, default_kind, default_expression)))) as columns
      from (select * from system.columns where database = currentDatabase() order by table, position)
      group by table
    ) as digests on digests.table = tables.name
    where database = currentDatabase() and tables.name not in ${OF_SERVER} and not startsWith(name, 'backup_of_')`,
  )
  return new Map(rows.map(({ name, ...definition }) => [name, definition]))
}

/** What a server knows of the placements. */
interface PlacementRow {
  since: number
  slots: number[]
  shard: number
}

/**
 * The table in which a server keeps since when which slots are on which shard; changes nothing
 * where it is there.
 */
export async function makePlacementTable({ own }: ClusterServer): Promise<void> {
  await own.command(`create table if not exists salus_placements (
    since Int64, slots Array(UInt16), shard UInt32
  ) engine = ReplacingMergeTree order by since settings fsync_after_insert = 1, fsync_part_directory = 1`)
}

/**
 * The placements that a server has recorded.
 * @throws StartupError when it was another shard then: people would be looked for where they are
 *   not.
 */
export async function readPlacements({ own, shard }: ClusterServer): Promise<Placement[]> {
  const rows = await own.queryRows<PlacementRow>(
    'select since, slots, shard from salus_placements final order by since',
  )
  const other = rows.find((row) => row.shard !== shard)
  if (other !== undefined) {
    throw new StartupError(
      `A ClickHouse server was shard ${other.shard} and is shard ${shard} of the cluster now. ` +
        'Restore the order of remote_servers; new shards are added only at its end.',
    )
  }
  return rows.map(({ since, slots }) => ({ since, slots }))
}

/**
 * Adds placements to those that a server knows; one of the same `since` takes the place of the
 * earlier.
 */
export async function writePlacements(
  { own, shard }: ClusterServer,
  placements: readonly Placement[],
): Promise<void> {
  const rows = placements.map(({ since, slots }) => `${since}\t[${slots.join(',')}]\t${shard}\n`)
  await own.insert('salus_placements', ['since', 'slots', 'shard'], Buffer.from(rows.join('')))
}

/**
 * Of a server that is to be used by itself.
 * @throws StartupError when it is a shard of several: other people's data are elsewhere
 */
export async function refuseShard(clickhouse: ClickHouse): Promise<void> {
  const found = await clickhouse.queryRows(
    `select 1 from system.tables where database = currentDatabase() and name = 'salus_placements'`,
  )
  if (found.length === 0) return
  const elsewhere = await clickhouse.queryRows(
    'select 1 from salus_placements array join slots as slot where slot + 1 != shard limit 1',
  )
  if (elsewhere.length === 0) return
  throw new StartupError(
    'The ClickHouse of CLICKHOUSE_URL is one shard of several, and the others hold users too. Set CLICKHOUSE_CLUSTER.',
  )
}

/** Whether a server holds data of people. */
export async function holdsPeople({ own }: ClusterServer): Promise<boolean> {
  const rows = await own.queryRows(
    `select name from system.tables where database = currentDatabase() and total_rows > 0
      and name not in ${OF_SERVER} and not startsWith(name, 'backup_of_') limit 1`,
  )
  return rows.length > 0
}
