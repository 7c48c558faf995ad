import {
  type CompiledQuery,
  type ConnectionProvider,
  type ControlledTransactionBuilder,
  type DatabaseConnection,
  Kysely,
  type QueryExecutor,
  type QueryResult,
  type TransactionBuilder,
} from 'kysely'
import type { Database, Db } from '../database.ts'

interface ReaderOptions {
  replica: Db
  primary: Db
  /** Called for each statement, or connection, that failed on the replica. */
  onRepeat: (error: Error) => void
}

/** What Kysely needs only for transactions. */
const UNUSED = { config: {}, driver: {}, dialect: {} }

/**
 * The database of one request that may read from a replica. What fails there is repeated on the
 * primary: each statement is a transaction of its own that reads, so it has left nothing behind.
 * From then on the request stays on the primary, so that no statement shows less than one before.
 */
export class Reader extends Kysely<Database> {
  readonly #primary: Db
  readonly #server: { isPrimary: boolean }

  constructor(options: ReaderOptions) {
    const server = { isPrimary: false }
    const provider = new ReadingProvider(options, server)
    const executor = options.replica.getExecutor().withConnectionProvider(provider)
    super({ ...UNUSED, executor } as never)
    this.#primary = options.primary
    this.#server = server
  }

  /** A transaction cannot be repeated in parts, so it is on the primary from the start. */
  override transaction(): TransactionBuilder<Database> {
    this.#server.isPrimary = true
    return this.#primary.transaction()
  }

  override startTransaction(): ControlledTransactionBuilder<Database> {
    this.#server.isPrimary = true
    return this.#primary.startTransaction()
  }
}

class ReadingProvider implements ConnectionProvider {
  readonly #replica: QueryExecutor
  readonly #primary: QueryExecutor
  readonly #onRepeat: ReaderOptions['onRepeat']
  readonly #server: { isPrimary: boolean }

  constructor({ replica, primary, onRepeat }: ReaderOptions, server: { isPrimary: boolean }) {
    this.#replica = replica.getExecutor()
    this.#primary = primary.getExecutor()
    this.#onRepeat = onRepeat
    this.#server = server
  }

  async provideConnection<Result>(
    use: (connection: DatabaseConnection) => Promise<Result>,
  ): Promise<Result> {
    if (this.#server.isPrimary) return this.#primary.provideConnection(use)
    let isConnected = false
    try {
      return await this.#replica.provideConnection((connection) => {
        isConnected = true
        return use(new ReadingConnection(connection, (query, error) => this.repeat(query, error)))
      })
    } catch (error) {
      if (isConnected) throw error
      this.#leave(error as Error)
      return this.#primary.provideConnection(use)
    }
  }

  /** Sends to the primary a statement that failed. */
  repeat<Row>(query: CompiledQuery, error: Error): Promise<QueryResult<Row>> {
    this.#leave(error)
    return this.#primary.provideConnection((connection) => connection.executeQuery<Row>(query))
  }

  #leave(error: Error): void {
    this.#onRepeat(error)
    this.#server.isPrimary = true
  }
}

type Repeat = <Row>(query: CompiledQuery, error: Error) => Promise<QueryResult<Row>>

class ReadingConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection
  readonly #repeat: Repeat

  constructor(connection: DatabaseConnection, repeat: Repeat) {
    this.#connection = connection
    this.#repeat = repeat
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (query.sql.startsWith('begin')) throw new Error('A request that reads has no transaction.')
    try {
      return await this.#connection.executeQuery<Row>(query)
    } catch (error) {
      return this.#repeat(query, error as Error)
    }
  }

  // biome-ignore lint/correctness/useYield: Salus reads large results in pages
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams of rows are not supported.')
  }
}
