import { StartupError } from '../../errors.ts'
import type { Migration } from '../../migrations.ts'
import type { ClickHouse } from '../clickhouse.ts'
import { ClickHouseError } from '../clickhouse-error.ts'
import { migrateServer } from '../migrate-clickhouse.ts'
import type { ClusterServer } from './cluster-server.ts'
import { type BucketRecord, type Placement, placementSql } from './placement.ts'

/** Tables that each server stores for itself. */
const OF_SERVER = `('salus_migrations', 'salus_placements', 'salus_moved_buckets')`

/**
 * Applies migrations to the tables of one server, which become replicated ones where it can
 * replicate.
 */
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
 * Returns a statement of a migration with the replicating engine. The path has the name that the
 * table was created with, because a table whose path follows its name cannot be renamed.
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

/**
 * Creates the tables over all shards from the current tables of this server, the placements and the
 * buckets that the server has recorded as moved.
 */
export async function makeDistributedTables(
  server: ClusterServer,
  cluster: string,
  placements: readonly Placement[],
): Promise<void> {
  const { own, all } = server
  const database = await currentDatabase(own)
  const [held, made] = await Promise.all([listDefinitions(own), listDefinitions(all)])
  const placement = placementSql(placements, await readMovedBuckets(server))
  const make = async ([name, { columns }]: [string, Definition]): Promise<void> => {
    const engine = `Distributed('${cluster}', '${database}', '${name}', ${placement})`
    const comment = `${columns} ${engine}`
    // The comment is compared, since the server rewrites a definition in its own form.
    if (made.get(name)?.comment === comment) return
    await all.command(
      `create or replace table ${name} as ${database}.${name} engine = ${engine}
      comment '${comment.replaceAll("'", "''")}'`,
    )
  }
  await Promise.all([...held].map(make))
  for (const name of made.keys()) {
    if (!held.has(name)) await all.command(`drop table if exists ${name}`)
  }
}

interface Definition {
  columns: string
  comment: string
}

/** Returns the tables of the current database, each with a digest of its columns. */
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

/** A placement as a server has recorded it. */
interface PlacementRow {
  since: number
  slots: number[]
  shard: number
}

/**
 * Creates the table in which a server records which slots are on which shard since when; does
 * nothing where it exists.
 */
export async function makePlacementTable({ own }: ClusterServer): Promise<void> {
  await own.command(`create table if not exists salus_placements (
    since Int64, slots Array(UInt16), shard UInt32
  ) engine = ReplacingMergeTree order by since settings fsync_after_insert = 1, fsync_part_directory = 1`)
}

/**
 * Returns the placements that a server has recorded.
 * @throws StartupError when the server was another shard then, because users would be searched
 *   where they are not
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

/** Adds placements to those of a server; one with the same `since` replaces the earlier one. */
export async function writePlacements(
  { own, shard }: ClusterServer,
  placements: readonly Placement[],
): Promise<void> {
  const rows = placements.map(({ since, slots }) => `${since}\t[${slots.join(',')}]\t${shard}\n`)
  await own.insert('salus_placements', ['since', 'slots', 'shard'], Buffer.from(rows.join('')))
}

const UNKNOWN_TABLE = 60

/**
 * Returns the newest record of each bucket that a server knows of; none before the migrations have
 * run.
 */
export async function readMovedBuckets({
  own,
}: Pick<ClusterServer, 'own'>): Promise<BucketRecord[]> {
  try {
    return await own.queryRows<BucketRecord>(
      'select bucket, shard, copy, version from salus_moved_buckets final order by bucket',
    )
  } catch (error) {
    if (error instanceof ClickHouseError && error.code === UNKNOWN_TABLE) return []
    throw error
  }
}

/** Adds records to those of a server. */
export async function writeMovedBuckets(
  { own }: Pick<ClusterServer, 'own'>,
  records: readonly BucketRecord[],
): Promise<void> {
  if (records.length === 0) return
  const columns = ['bucket', 'shard', 'copy', 'version'] as const
  const rows = records.map((record) => `${columns.map((name) => record[name]).join('\t')}\n`)
  await own.insert('salus_moved_buckets', columns, Buffer.from(rows.join('')))
}

/**
 * Refuses a server that is to be used alone.
 * @throws StartupError when it is one shard of several, because data of other users are elsewhere
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

/** Whether a server holds data of users. */
export async function holdsPeople({ own }: ClusterServer): Promise<boolean> {
  const rows = await own.queryRows(
    `select name from system.tables where database = currentDatabase() and total_rows > 0
      and name not in ${OF_SERVER} and not startsWith(name, 'backup_of_') limit 1`,
  )
  return rows.length > 0
}
