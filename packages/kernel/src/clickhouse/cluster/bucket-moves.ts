import { setTimeout as sleep } from 'node:timers/promises'
import { SettingsMap } from '@clickhouse/client'
import type { ClickHouse, ClusterMoves, QueryParameters } from '../clickhouse.ts'
import { ClickHouseError } from '../clickhouse-error.ts'
import type { ClusterServer, ListedServer } from './cluster-server.ts'
import {
  makeDistributedTables,
  readMovedBuckets,
  readPlacements,
  writeMovedBuckets,
} from './cluster-tables.ts'
import { type BucketRecord, bucketSql, hasCopy, placementSql, UNDER_WAY } from './placement.ts'

/** How long a process relies on what it read: longer than between two looks for servers. */
const KNOWN_MS = 6_000
/** After this time all processes know that people are moved. */
export const ALL_KNOW_MS = 10_000
const COPY_POLL_MS = 50

/** Begins each statement that copies people, so that running ones are found. */
export const COPY_COMMENT = '/* people of a shard */'

/** Servers of a cluster as they are at the time of a call. */
interface Members {
  cluster: string
  listed: readonly ListedServer[]
  up(): readonly ClusterServer[]
  /** Throws unless all servers answer. */
  all(): readonly ClusterServer[]
}

/**
 * Moves of people between shards. Copies of rows lie on two shards meanwhile, and only those of one
 * shard count.
 */
export class BucketMoves implements ClusterMoves {
  readonly #members: Members
  #isMoving = true
  #knownUntil = Number.NEGATIVE_INFINITY

  constructor(members: Members) {
    this.#members = members
  }

  get cluster(): string {
    return this.#members.cluster
  }

  get shards(): number {
    return Math.max(...this.#members.listed.map(({ shard_num }) => shard_num))
  }

  /** Learns whether people are moved. */
  async look(server: ClusterServer): Promise<void> {
    const from = performance.now()
    const records = await readMovedBuckets(server)
    this.#isMoving = records.some(hasCopy)
    this.#knownUntil = from + KNOWN_MS
  }

  /**
   * Returns the tables of a server for a statement. One about a single person goes to the shard
   * that answers. Others leave out copies, by what the server knows at this moment.
   */
  async viewOf(server: ClusterServer, { userId }: QueryParameters): Promise<ClickHouse> {
    if (typeof userId === 'string') return server.all
    if (!this.#isMoving && performance.now() < this.#knownUntil) return server.all
    const from = performance.now()
    const copies = (await readMovedBuckets(server)).filter(hasCopy)
    this.#isMoving = copies.length > 0
    this.#knownUntil = from + KNOWN_MS
    if (copies.length === 0) return server.all
    return server.all.withSettings({
      // A switch may come before the statement runs, so it goes to all shards.
      optimize_skip_unused_shards: 0,
      additional_table_filters: await withoutCopies(server, copies),
    })
  }

  async bucketSql(): Promise<string> {
    return bucketSql(await readPlacements(this.#first()))
  }

  /** Returns SQL for the index of the shard of `user_id`, as a server knows it. */
  async #sqlOf(server: ClusterServer): Promise<[shard: string, bucket: string]> {
    const placements = await readPlacements(server)
    const moved = await readMovedBuckets(server)
    return [placementSql(placements, moved), bucketSql(placements)]
  }

  async read(): Promise<BucketRecord[]> {
    return newestOf(await Promise.all(this.#members.up().map((server) => readMovedBuckets(server))))
  }

  async record(buckets: readonly Omit<BucketRecord, 'version'>[]): Promise<void> {
    const servers = this.#members.all()
    const known = await this.read()
    const version = Math.max(0, ...known.map((record) => record.version)) + 1
    await Promise.all(
      servers.map(async (server) => {
        await writeMovedBuckets(
          server,
          buckets.map((bucket) => ({ ...bucket, version })),
        )
        await makeDistributedTables(server, this.cluster, await readPlacements(server))
      }),
    )
  }

  /** Gives a server the records that the others have; its tables are made afterwards. */
  async share(server: ClusterServer): Promise<void> {
    const own = new Map((await readMovedBuckets(server)).map((record) => [record.bucket, record]))
    const missing = (await this.read()).filter(
      ({ bucket, version }) => version > (own.get(bucket)?.version ?? 0),
    )
    await writeMovedBuckets(server, missing)
  }

  serversOf(shard: number): readonly ClusterServer[] {
    const replicas = this.#members
      .up()
      .filter((server) => server.shard === shard + 1)
      .toSorted((a, b) => a.replica - b.replica)
    const isReplicated = replicas.some(({ hasKeeper }) => hasKeeper)
    const listed = this.#members.listed.filter((one) => one.shard_num === shard + 1)
    // A process that was started with fewer shards does not know the others.
    const needed = isReplicated ? 1 : Math.max(1, listed.length)
    if (replicas.length < needed) throw serverAway()
    return replicas.slice(0, needed)
  }

  serverOf(shard: number): ClusterServer {
    const [first] = this.serversOf(shard)
    if (first === undefined) throw serverAway()
    return first
  }

  /**
   * Changes rows of a person, or of all people, on the shards that hold them. A copy is changed
   * after its original, and after statements that may have copied the rows as they were.
   */
  async alter(sql: string, parameters: QueryParameters): Promise<void> {
    const { userId } = parameters
    const { shards, copies } =
      typeof userId === 'string' ? await this.#findShards(userId) : await this.#findAllShards()
    const onShard = async (shard: number): Promise<void> => {
      await Promise.all(this.serversOf(shard).map(({ own }) => own.command(sql, parameters)))
    }
    await Promise.all(shards.map(onShard))
    for (const shard of copies) {
      await Promise.all(this.serversOf(shard).map(waitForCopies))
      await onShard(shard)
    }
  }

  async #findShards(userId: string): Promise<{ shards: number[]; copies: number[] }> {
    const server = this.#first()
    const [shardSql, bucket] = await this.#sqlOf(server)
    const [row] = await server.all.queryRows<{ shard: number; bucket: number }>(
      `select toUInt32(${shardSql}) as shard, toUInt32(${bucket}) as bucket
      from (select {userId:UUID} as user_id)`,
      { userId },
    )
    const { shard = 0, bucket: ofUser } = row ?? {}
    const record = (await this.read()).find((one) => one.bucket === ofUser && hasCopy(one))
    const both = record === undefined ? [] : [record.shard, record.copy]
    return { shards: [shard], copies: both.filter((other) => other !== shard) }
  }

  async #findAllShards(): Promise<{ shards: number[]; copies: number[] }> {
    const open = (await this.read()).filter((one) => hasCopy(one) && one.bucket !== UNDER_WAY)
    const shards = Array.from({ length: this.shards }, (_, shard) => shard)
    return { shards, copies: [...new Set(open.map(({ copy }) => copy))] }
  }

  #first(): ClusterServer {
    const [server] = this.#members.up()
    if (server === undefined) throw serverAway()
    return server
  }
}

/** Error with the engine's own code for a shard that it cannot reach. */
export const serverAway = () =>
  new ClickHouseError(279, 'ClickHouse failed: a server that it takes is away')

function newestOf(lists: readonly BucketRecord[][]): BucketRecord[] {
  const newest = new Map<number, BucketRecord>()
  for (const record of lists.flat()) {
    const known = newest.get(record.bucket)
    if (known === undefined || known.version < record.version) newest.set(record.bucket, record)
  }
  return [...newest.values()].toSorted((a, b) => a.bucket - b.bucket)
}

/** Returns a filter for each table of people, by which a shard leaves out copies that it holds. */
async function withoutCopies(
  server: ClusterServer,
  copies: readonly BucketRecord[],
): Promise<SettingsMap> {
  const bucket = bucketSql(await readPlacements(server))
  const buckets = copies.map((record) => record.bucket).join(', ')
  const shards = copies.map(({ copy }) => copy + 1).join(', ')
  const filter = `transform(${bucket}, [${buckets}], [${shards}], 0) != shardNum()`
  const tables = await server.own.queryRows<{ path: string }>(
    `select database || '.' || table as path from system.columns
    where database = currentDatabase() and name = 'user_id'`,
  )
  return SettingsMap.from(Object.fromEntries(tables.map(({ path }) => [path, filter])))
}

/** Waits for the copies that run on a server now. */
async function waitForCopies({ own }: ClusterServer): Promise<void> {
  const running = () =>
    own.queryRows<{ query_id: string }>(
      `select query_id from system.processes where startsWith(query, '${COPY_COMMENT}')`,
    )
  const before = new Set((await running()).map(({ query_id }) => query_id))
  while (before.size > 0) {
    await sleep(COPY_POLL_MS)
    const left = new Set((await running()).map(({ query_id }) => query_id))
    for (const id of before) if (!left.has(id)) before.delete(id)
  }
}
