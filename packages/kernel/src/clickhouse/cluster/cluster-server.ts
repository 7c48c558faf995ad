import type { ClickHouseSettings } from '@clickhouse/client'
import { StartupError } from '../../errors.ts'
import type { ClickHouse } from '../clickhouse.ts'
import { databaseOf, openRemoteClickHouse, type RemoteClickHouse } from '../remote-clickhouse.ts'

/** A server as the list of a cluster describes it. */
export interface ListedServer {
  /** Number of the shard, counted from 1. */
  shard_num: number
  shard_weight: number
  /** Whether the tables replicate themselves; taken to be so where the server does not say it. */
  internal_replication?: 0 | 1
  replica_num: number
  host_name: string
  port: number
  is_local: 0 | 1
}

/**
 * One server of a cluster in two views: the rows that it holds itself, and those of the whole
 * cluster.
 */
export interface ClusterServer {
  shard: number
  replica: number
  /** The tables that hold rows. */
  own: RemoteClickHouse
  /** The tables through which all shards are read and written. */
  all: RemoteClickHouse
  /** Whether it can replicate: it has a Keeper and knows who it is. */
  hasKeeper: boolean
}

/**
 * Users are read only from the shard that holds them. The first replica that is up stores and
 * answers everything, so that written rows are read: a later replica may be behind.
 */
const ALL_SETTINGS: ClickHouseSettings = {
  optimize_skip_unused_shards: 1,
  optimize_skip_unused_shards_limit: '10000',
  skip_unavailable_shards: 0,
  prefer_localhost_replica: 0,
  load_balancing: 'in_order',
  // Rows that belong together are on one shard.
  distributed_product_mode: 'local',
  parallel_distributed_insert_select: '0',
  insert_quorum_timeout: 30_000,
  // Without this a replicated table would drop rows that were stored, erased, and uploaded again.
  insert_deduplicate: 0,
}

/** Name of the database with the tables over all shards, next to the one that holds rows. */
export const allDatabaseOf = (url: URL): string => `${databaseOf(url)}_cluster`

const CONNECT_TIMEOUT_MS = 3000

/** Opens both views of a server and finds out which one of the list it is. */
export async function connectToServer(address: string, cluster: string): Promise<ClusterServer> {
  const url = new URL(address)
  const options = { url: address, connectTimeoutMs: CONNECT_TIMEOUT_MS }
  const own = await openRemoteClickHouse({ ...options, settings: { insert_deduplicate: 0 } })
  try {
    const listed = await listServers(own, cluster)
    const self = listed.find(({ is_local }) => is_local === 1)
    if (self === undefined) {
      throw new StartupError(
        `The ClickHouse at ${url.host} does not find itself in its cluster ${cluster} ` +
          '(system.clusters, is_local). Check CLICKHOUSE_CLUSTER and remote_servers.',
      )
    }
    const settings = { ...ALL_SETTINGS, insert_quorum: quorumOf(listed) }
    const all = await openRemoteClickHouse({ ...options, database: allDatabaseOf(url), settings })
    const hasKeeper = await hasReplication(own)
    return { shard: self.shard_num, replica: self.replica_num, own, all, hasKeeper }
  } catch (error) {
    await own.close()
    throw error
  }
}

/**
 * Requires that most replicas of a shard have what is acknowledged. A single replica would wait for
 * another.
 */
export const quorumOf = (listed: readonly ListedServer[]): 'auto' | '0' =>
  listed.some(({ replica_num }) => replica_num > 1) ? 'auto' : '0'

/** Returns the servers of a cluster, shard by shard. */
export function listServers(clickhouse: ClickHouse, cluster: string): Promise<ListedServer[]> {
  return clickhouse.queryRows(
    `select * from system.clusters where cluster = {cluster:String} order by shard_num, replica_num`,
    { cluster },
  )
}

async function hasReplication(own: ClickHouse): Promise<boolean> {
  const [row] = await own.queryRows<{ found: number }>(
    `select (select count() from system.macros where macro in ('shard', 'replica'))
      + (select count() from system.tables where database = 'system' and name = 'zookeeper') as found`,
  )
  return row?.found === 3
}
