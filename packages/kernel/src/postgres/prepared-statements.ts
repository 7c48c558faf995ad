import type { Writable } from 'node:stream'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type QueryId,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { channelOf, Notifier } from './notifications.ts'
import { type Pooling, poolingOf } from './pooling.ts'

/** Statements by id that are to be prepared. */
const chosen = new WeakSet<QueryId>()

const PREPARE: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    chosen.add(queryId)
    return node
  },
  transformResult: async ({ result }) => result,
}

const handles = new WeakMap<object, unknown>()

/**
 * Returns the handle whose statements PostgreSQL parses once for each connection, and plans once
 * where one plan serves all values. For statements of requests with a fixed text that find rows by
 * keys: a plan that is made without values may be wrong for searches. They must name their columns,
 * because PostgreSQL refuses a prepared statement whose `*` changed with a migration.
 */
export function prepared<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  const known = handles.get(db) as Kysely<Tables> | undefined
  if (known !== undefined) return known
  const handle = db.withPlugin(PREPARE)
  handles.set(db, handle)
  return handle
}

/** Names of texts; PostgreSQL keeps each for as long as a connection lives. */
const names = new Map<string, string>()
const MOST_NAMES = 500
const ALL_COLUMNS = /(?:^|[\s,.])\*(?:\s|,|$)/

/** Returns the name of a text; undefined when there are too many. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size === MOST_NAMES) return known
  if (ALL_COLUMNS.test(text)) throw new Error('A prepared statement must name its columns.')
  const name = `salus_${names.size}`
  names.set(text, name)
  return name
}

/** Kysely's dialect over a pool, with prepared statements. */
export class PreparingDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new PreparingDriver(this.#pool)
  }
}

class PreparingDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #pooling: Readonly<Pooling>
  readonly #notifier: Notifier
  readonly #connections = new WeakMap<pg.PoolClient, Connection>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
    this.#pooling = poolingOf(pool)
    this.#notifier = new Notifier(pool)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const client = await this.#pool.connect()
    const known = this.#connections.get(client)
    const connection = known ?? new Connection(client, this.#pooling, this.#notifier)
    if (known === undefined) this.#connections.set(client, connection)
    connection.acquire()
    return connection
  }

  async beginTransaction(
    connection: Connection,
    { accessMode, isolationLevel }: TransactionSettings,
  ): Promise<void> {
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode]
    const text = ['begin', ...modes.filter((mode) => mode !== undefined)].join(' ')
    await connection.executeQuery(CompiledQuery.raw(text))
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #pooling: Readonly<Pooling>
  readonly #notifier: Notifier
  #isGathering = false
  /** Channels to be notified when the open transaction commits. */
  #due: string[] | undefined

  constructor(client: pg.PoolClient, pooling: Readonly<Pooling>, notifier: Notifier) {
    this.#client = client
    this.#pooling = pooling
    this.#notifier = notifier
  }

  async executeQuery<Row>({
    sql: text,
    parameters,
    queryId,
  }: CompiledQuery): Promise<QueryResult<Row>> {
    this.#gatherWrites()
    const isNamed = chosen.has(queryId) && this.#pooling.preparesStatements
    const name = isNamed ? nameOf(text) : undefined
    const query = { text, values: [...parameters], ...(name !== undefined && { name }) }
    const due = this.#dueAfter(text)
    const channel = channelOf(queryId)
    const { command, rowCount, rows } = await this.#client.query(query)
    // A transaction in which a statement failed ends with a rollback.
    if (command === 'COMMIT' && due !== undefined) this.#notifier.notify(due)
    else if (channel !== undefined && due !== undefined) due.push(channel)
    else if (channel !== undefined) this.#notifier.notify([channel])
    const isChange = CHANGES.has(command)
    return { rows: rows ?? [], ...(isChange && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  // biome-ignore lint/correctness/useYield: Salus reads large results in pages
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams of rows are not supported.')
  }

  /** Returns the channels of the transaction that a statement belongs to, as it is sent. */
  #dueAfter(text: string): string[] | undefined {
    if (text.startsWith('begin')) this.#due = []
    const due = this.#due
    if (text === 'commit' || text === 'rollback') this.#due = undefined
    return due
  }

  /** Writes the statements of this turn to the socket at once, because each write costs time. */
  #gatherWrites(): void {
    const { stream } = (this.#client as pg.PoolClient & { connection: { stream: Writable } })
      .connection
    if (this.#isGathering) return
    this.#isGathering = true
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  /** Statements are sent without waiting for answers, unlike those of others who use the pool. */
  acquire(): void {
    Object.assign(this.#client, { pipeline: true })
  }

  release(): void {
    Object.assign(this.#client, { pipeline: false })
    this.#client.release()
  }
}
