import { StartupError } from '../../errors.ts'
import type { ClickHouse } from '../clickhouse.ts'
import { ClickHouseCluster, type ClickHouseClusterOptions } from './clickhouse-cluster.ts'
import {
  type ClusterServer,
  connectToServer,
  type ListedServer,
  listServers,
} from './cluster-server.ts'

/**
 * Connects to the servers of a cluster. Those that do not answer are used when they are back.
 * @throws StartupError when none answers, or the cluster is not set up as its tables need it.
 */
export async function openClickHouseCluster(
  options: ClickHouseClusterOptions,
): Promise<ClickHouse> {
  const { urls, cluster } = options
  const first = await connectToFirst(urls, cluster)
  const listed = await listServers(first.own, cluster)
  const addresses = urls.length > 1 ? urls : listed.map((server) => addressOf(server, urls[0]))
  await Promise.all([first.own.close(), first.all.close()])
  checkList(listed, first.hasKeeper)
  const opened = new ClickHouseCluster(options, listed, addresses)
  try {
    await opened.lookForServers()
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function connectToFirst(urls: readonly string[], cluster: string): Promise<ClusterServer> {
  const problems: unknown[] = []
  for (const url of urls) {
    try {
      return await connectToServer(url, cluster)
    } catch (error) {
      problems.push(error)
    }
  }
  throw problems[0]
}

/** Returns the address of a server of the list, if all use the same port for HTTP. */
function addressOf(server: ListedServer, pattern = ''): string {
  const url = new URL(pattern)
  if (server.is_local === 0) url.hostname = server.host_name
  return url.href
}

/** Refuses setups that would store rows in the wrong place or in too few places. */
export function checkList(listed: readonly ListedServer[], hasKeeper: boolean): void {
  const replicas = listed.filter(({ replica_num }) => replica_num > 1)
  if (listed.some(({ shard_weight }) => shard_weight !== 1)) {
    throw new StartupError(
      'Remove weight from remote_servers, because Salus assigns users to shards itself. Set CLICKHOUSE_SHARES instead.',
    )
  }
  if (replicas.some(({ internal_replication: own }) => own === 0) && hasKeeper) {
    throw new StartupError(
      'Tables of this ClickHouse cluster replicate themselves. Set internal_replication to true in remote_servers.',
    )
  }
  const hasSecond = new Set(replicas.map(({ shard_num }) => shard_num))
  const isMixed = hasSecond.size > 0 && listed.some(({ shard_num }) => !hasSecond.has(shard_num))
  if (isMixed && hasKeeper) {
    throw new StartupError(
      'Some shards of the ClickHouse cluster have one replica and others more. Writes wait for a majority of replicas, ' +
        'which a single one never reaches: give every shard two or more, or every shard one.',
    )
  }
  if (replicas.some(({ internal_replication: own }) => own !== 0) && !hasKeeper) {
    throw new StartupError(
      'The shards of the ClickHouse cluster have replicas, but there is no Keeper, or macros shard and replica are ' +
        'missing. Set both up, or internal_replication to false.',
    )
  }
}
