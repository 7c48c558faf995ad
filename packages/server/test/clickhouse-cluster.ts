import { type ClickHouseServer, freePortPairs, startClickHouseServer } from './clickhouse-server.ts'

export interface TestCluster {
  /** Addresses of all servers, shard by shard, without a database. */
  urls: string[]
  /** In the order of urls. */
  servers: ClickHouseServer[]
  stop(): Promise<void>
}

/**
 * Starts real servers that know each other as clusters: `shards_1` is the first shard alone, `shards_2`
 * the first two, and so on; `reversed` has all of them from the last to the first. The engine of the npm package neither runs a Keeper nor listens for other
 * replicas, so replicas are written by the tables over all shards (internal_replication is false).
 */
export async function startTestCluster(shards: number, replicas = 1): Promise<TestCluster> {
  const ports = await freePortPairs(shards * replicas)
  const shardElements = Array.from({ length: shards }, (_, shard) => {
    const own = ports.slice(shard * replicas, (shard + 1) * replicas)
    const hosts = own.map(
      ({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`,
    )
    return `<shard><internal_replication>false</internal_replication>${hosts.join('')}</shard>`
  })
  const clusters = shardElements.map((_, last) => {
    const name = `shards_${last + 1}`
    return `<${name}>${shardElements.slice(0, last + 1).join('')}</${name}>`
  })
  clusters.push(`<reversed>${shardElements.toReversed().join('')}</reversed>`)
  const settings = `<remote_servers>${clusters.join('')}</remote_servers>`
  const servers = await Promise.all(
    ports.map((pair) => startClickHouseServer({ ports: pair, settings })),
  )
  return {
    urls: servers.map(({ url }) => url),
    servers,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}
