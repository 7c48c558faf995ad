import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import {
  type ClickHouseServer,
  freePortPairs,
  type PortPair,
  startClickHouseServer,
} from './clickhouse-server.ts'

/**
 * Where servers find each other; a server that finds this address and its own port in a list takes
 * it for itself.
 */
const LISTED = '127.0.0.1'
const BEHIND_RELAY = '127.0.0.2'

export interface TestCluster {
  /** Addresses of all servers, shard by shard, without a database. */
  urls: string[]
  /** In the order of urls. */
  servers: ClickHouseServer[]
  stop(): Promise<void>
}

export interface TestClusterOptions {
  /** Of each shard; 1 by default. */
  replicas?: number
  /** For tests that kill a server, which the others survive then; see startRelay. */
  hasRelays?: boolean
  /** Further elements of the configuration of each server, as XML. */
  settings?: string
}

/**
 * Starts real servers that know each other as clusters: `shards_1` is the first shard alone,
 * `shards_2` the first two, and so on; `reversed` has all of them from the last to the first. The
 * engine of the npm package neither runs a Keeper nor listens for other replicas, so replicas are
 * written by the tables over all shards (internal_replication is false).
 */
export async function startTestCluster(
  shards: number,
  { replicas = 1, hasRelays = false, settings: more = '' }: TestClusterOptions = {},
): Promise<TestCluster> {
  const ports = await freePortPairs(shards * replicas)
  const settings = listClusters(ports, replicas) + more
  const servers = await Promise.all(
    ports.map((pair) =>
      hasRelays
        ? startBehindRelay(pair, settings)
        : startClickHouseServer({ ports: pair, settings }),
    ),
  )
  return {
    urls: servers.map(({ url }) => url),
    servers,
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
}

/** Nothing listens for a server that is killed. */
async function startBehindRelay(ports: PortPair, settings: string): Promise<ClickHouseServer> {
  const server = await startClickHouseServer({ host: BEHIND_RELAY, ports, settings })
  let relay = await startRelay(ports.tcp)
  return {
    ...server,
    async kill() {
      relay.close()
      await server.kill()
    },
    async restart() {
      await server.restart()
      relay = await startRelay(ports.tcp)
    },
    async stop() {
      relay.close()
      await server.stop()
    },
  }
}

/** `remote_servers` of servers on these ports, shard by shard. */
function listClusters(ports: readonly PortPair[], replicas: number): string {
  const shardElements = Array.from({ length: ports.length / replicas }, (_, shard) => {
    const hosts = ports
      .slice(shard * replicas, (shard + 1) * replicas)
      .map(({ tcp }) => `<replica><host>${LISTED}</host><port>${tcp}</port></replica>`)
    return `<shard><internal_replication>false</internal_replication>${hosts.join('')}</shard>`
  })
  const clusters = shardElements.map((_, last) => {
    const name = `shards_${last + 1}`
    return `<${name}>${shardElements.slice(0, last + 1).join('')}</${name}>`
  })
  clusters.push(`<reversed>${shardElements.toReversed().join('')}</reversed>`)
  return `<remote_servers>${clusters.join('')}</remote_servers>`
}

/**
 * Hands connections on from the listed address. What breaks off on one side ends properly on the
 * other: the engine of the npm package, other than the server it is made from, ends as a whole when
 * a connection that another server or itself made to it is reset while it waits for the next
 * statement. That happens to a query over all shards of which one is away.
 */
async function startRelay(port: number): Promise<Server> {
  const relay = createServer({ allowHalfOpen: true }, (from) => {
    const to = connect({ port, host: BEHIND_RELAY, allowHalfOpen: true })
    handOn(from, to)
    handOn(to, from)
  })
  await once(relay.listen(port, LISTED).unref(), 'listening')
  return relay
}

function handOn(from: Socket, to: Socket): void {
  from.pipe(to)
  // What the other side still has to say is read and dropped; unread, it would be a reset.
  from.on('error', () => to.unpipe().resume().end())
}
