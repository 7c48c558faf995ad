import { StartupError } from '../../errors.ts'
import type { Migration } from '../../migrations.ts'
import type { ClickHouse, ClusterMember, QueryParameters, SentRows } from '../clickhouse.ts'
import { ClickHouseError, hasLostServer, hasNeverReachedServer } from '../clickhouse-error.ts'
import type { NativeBlock } from '../native-block.ts'
import { BucketMoves, serverAway } from './bucket-moves.ts'
import { type ClusterServer, connectToServer, type ListedServer } from './cluster-server.ts'
import {
  makeDistributedTables,
  makePlacementTable,
  migrateOwnTables,
  readPlacements,
  writePlacements,
} from './cluster-tables.ts'
import { decidePlacements, type PlacementOptions } from './decide-placements.ts'
import type { Placement } from './placement.ts'

export interface ClickHouseClusterOptions extends PlacementOptions {
  /**
   * Value of CLICKHOUSE_URL: one address, from which the others follow, or those of all servers.
   */
  urls: readonly string[]
  /** Name of the cluster in `remote_servers`. */
  cluster: string
}

/** Interval of the search for servers that did not answer. */
const LOOK_AGAIN_MS = 3000
const PING_MS = 5000

/**
 * A server that may not answer; `is` is set while it answers and its tables are as they should be.
 */
interface Member {
  address: string
  /** Its entry of the list, once that is known. */
  listed: ListedServer | undefined
  is: ClusterServer | undefined
}

/** Created by openClickHouseCluster. */
export class ClickHouseCluster implements ClickHouse {
  readonly #options: ClickHouseClusterOptions
  readonly #listed: readonly ListedServer[]
  readonly #members: Member[]
  readonly #timer: NodeJS.Timeout
  /** Migrations that every server has to have; empty before the first migration. */
  #migrations: readonly Migration[] = []
  #placements: readonly Placement[] = []
  #looking: Promise<void> | undefined
  #turn = 0
  #isClosed = false
  readonly #moves: BucketMoves
  readonly cluster: NonNullable<ClickHouse['cluster']>

  constructor(
    options: ClickHouseClusterOptions,
    listed: readonly ListedServer[],
    addresses: readonly string[],
  ) {
    this.#options = options
    this.#listed = listed
    // Several addresses may be in any order, so only their servers can say what they are.
    const known = options.urls.length === 1 ? listed : []
    this.#members = addresses.map((address, index) => ({
      address,
      listed: known[index],
      is: undefined,
    }))
    this.#timer = setInterval(() => this.lookForServers().catch(() => {}), LOOK_AGAIN_MS)
    this.#timer.unref()
    const moves = new BucketMoves({
      cluster: options.cluster,
      listed,
      up: () => this.#up(),
      all: () => this.#all(),
    })
    this.#moves = moves
    const own = () => this.#up().map((server) => server.own)
    const members = () => this.#members.map(describeMember)
    const missingShards = () => this.#missingShards()
    this.cluster = {
      get servers() {
        return own()
      },
      get members() {
        return members()
      },
      get missingShards() {
        return missingShards()
      },
      moves,
      migrate: (migrations) => this.#migrate(migrations),
    }
  }

  async command(sql: string, parameters: QueryParameters = {}): Promise<void> {
    if (/^\s*(create|drop|truncate|optimize) table\s/i.test(sql)) return this.#onEveryServer(sql)
    if (/^\s*(alter|delete)\s/i.test(sql)) return this.#moves.alter(sql, parameters)
    return this.#onView(parameters, (view) => view.command(sql, parameters), { isOnce: true })
  }

  queryBytes(
    sql: string,
    parameters: QueryParameters,
    format: string,
    sent?: SentRows,
  ): Promise<Uint8Array> {
    return this.#onView(parameters, (view) => view.queryBytes(sql, parameters, format, sent))
  }

  queryRows<Row>(sql: string, parameters: QueryParameters = {}): Promise<Row[]> {
    return this.#onView(parameters, (view) => view.queryRows<Row>(sql, parameters))
  }

  async *queryStream(sql: string, parameters: QueryParameters, format: string, sent?: SentRows) {
    const view = await this.#onView(parameters, async (found) => {
      await found.ping()
      return found
    })
    yield* view.queryStream(sql, parameters, format, sent)
  }

  insert(table: string, columns: readonly string[], payload: Buffer | NativeBlock): Promise<void> {
    return this.#anywhere((server) => server.all.insert(table, columns, payload))
  }

  ping(): Promise<void> {
    return this.#anywhere((server) => server.all.ping())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking?.catch(() => {})
    await Promise.all(this.#up().flatMap(({ own, all }) => [own.close(), all.close()]))
  }

  /**
   * Connects to servers that did not answer and migrates their tables; drops those that left the
   * list.
   */
  lookForServers(): Promise<void> {
    this.#looking ??= Promise.all(this.#members.map((member) => this.#lookFor(member)))
      .then(() => {})
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #lookFor(member: Member): Promise<void> {
    if (member.is !== undefined) {
      const server = member.is
      const look = () => this.#moves.look(server)
      await inTime(look).catch((error) => this.#leave(member, server, error))
      return
    }
    const server = await connectToServer(member.address, this.#options.cluster).catch((error) => {
      if (isWrongSetup(error)) throw error
    })
    if (server === undefined) return
    if (this.#migrations.length > 0) await this.#prepare(server)
    member.is = server
    member.listed = this.#listed.find(
      ({ shard_num, replica_num }) => shard_num === server.shard && replica_num === server.replica,
    )
  }

  /** Sends statements to the other servers until this one is found again. */
  #leave(member: Member, server: ClusterServer | undefined, error: unknown): void {
    if (!hasNeverReachedServer(error) || member.is !== server || server === undefined) return
    member.is = undefined
    this.#options.log?.warn({ host: new URL(member.address).host }, 'a ClickHouse server is away')
    Promise.allSettled([server.own.close(), server.all.close()])
  }

  #missingShards(): number[] {
    const found = new Set(this.#up().map(({ shard }) => shard))
    const shards = new Set(this.#listed.map(({ shard_num }) => shard_num))
    return [...shards.difference(found)]
  }

  #up(): ClusterServer[] {
    return this.#members.flatMap(({ is }) => is ?? [])
  }

  /** Returns the servers. @throws ClickHouseError when one does not answer */
  #all(): ClusterServer[] {
    const servers = this.#up()
    if (servers.length < this.#members.length) throw serverAway()
    return servers
  }

  /** Runs the work on the tables over all shards of one of the servers. */
  #onView<Result>(
    parameters: QueryParameters,
    work: (view: ClickHouse) => Promise<Result>,
    options?: { isOnce: boolean },
  ): Promise<Result> {
    const view = (server: ClusterServer) => this.#moves.viewOf(server, parameters)
    return this.#anywhere(async (server) => work(await view(server)), options)
  }

  /**
   * Runs the work on one of the servers, in turns; one that cannot be reached gives its turn to the
   * next, and so does one whose connection breaks on the way, because reads and inserts may be
   * repeated. Each server is tried once, whichever turns others take meanwhile.
   */
  async #anywhere<Result>(
    work: (server: ClusterServer) => Promise<Result>,
    { isOnce = false } = {},
  ): Promise<Result> {
    if (this.#isClosed) throw new ClickHouseError(0, 'ClickHouse is closed')
    let problem: unknown = new ClickHouseError(
      0,
      'ClickHouse failed: no server of the cluster answers',
    )
    const first = this.#turn++
    for (let tried = 0; tried < this.#members.length; tried += 1) {
      const member = this.#members[(first + tried) % this.#members.length]
      const server = member?.is
      if (member === undefined || server === undefined) continue
      try {
        return await work(server)
      } catch (error) {
        const mayGoOn = hasNeverReachedServer(error) || isReplaced(error)
        if (!mayGoOn && (isOnce || !hasLostServer(error))) throw error
        this.#leave(member, server, error)
        problem = error
      }
    }
    throw problem
  }

  /**
   * Runs a statement about a whole table: a clone that a backup reads, or the removal of all rows.
   */
  async #onEveryServer(sql: string): Promise<void> {
    const placements = await this.#anywhere(readPlacements)
    for (const server of this.#all()) {
      await server.own.command(sql)
      await makeDistributedTables(server, this.#options.cluster, placements)
    }
  }

  async #migrate(migrations: readonly Migration[]): Promise<number[]> {
    const applied = new Set<number>()
    for (const server of this.#up()) {
      for (const number of await migrateOwnTables(server, migrations)) applied.add(number)
    }
    const shards = Math.max(...this.#listed.map(({ shard_num }) => shard_num))
    const isWhole = this.#up().length === this.#members.length
    this.#placements = await decidePlacements(this.#up(), { ...this.#options, shards, isWhole })
    this.#migrations = migrations
    for (const server of this.#up()) await this.#prepare(server)
    return [...applied].toSorted((a, b) => a - b)
  }

  async #prepare(server: ClusterServer): Promise<void> {
    await migrateOwnTables(server, this.#migrations)
    await makePlacementTable(server)
    await readPlacements(server)
    await writePlacements(server, this.#placements)
    await this.#moves.share(server)
    await makeDistributedTables(server, this.#options.cluster, await readPlacements(server))
  }
}

const describeMember = ({ address, listed, is }: Member): ClusterMember => ({
  host: new URL(address).host,
  shard: listed?.shard_num ?? null,
  replica: listed?.replica_num ?? null,
  isUp: is !== undefined,
})

/** Looks with a time limit, because a machine that vanished refuses nothing. */
async function inTime(look: () => Promise<void>): Promise<void> {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(new ClickHouseError(0, 'EHOSTUNREACH')), PING_MS)
  try {
    await Promise.race([look(), limit.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Whether a table over all shards was replaced before the statement could begin, as when people are
 * switched to another shard.
 */
const isReplaced = (error: unknown): boolean =>
  error instanceof ClickHouseError && error.code === 218

/**
 * Whether the error needs a change of the setup; a server that only does not answer may be back
 * later.
 */
const isWrongSetup = (error: unknown): boolean =>
  error instanceof StartupError && !error.message.startsWith('Cannot reach')
