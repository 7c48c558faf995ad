import type { Migration } from '../migrations.ts'
import type { BucketRecord } from './cluster/placement.ts'
import type { NativeBlock } from './native-block.ts'

/**
 * Values for the `{name:Type}` places of a statement. The engine parses each one as `Type`, so a
 * value is never part of the SQL. Dates and UUIDs are strings; booleans fit `Bool` and `UInt8`;
 * 64-bit integers beyond 2^53 are passed as strings; null needs a `Nullable(…)` type.
 * A server takes about 1 MB of parameters a statement, because they travel in the address.
 */
export type QueryParameters = Record<
  string,
  string | number | boolean | null | readonly (string | number)[]
>

/**
 * Rows that are sent with a statement, which reads them as a table of this name. They exist for
 * this statement alone and are in no log of a server.
 */
export interface SentRows {
  table: string
  /** Types by column name, in the order of the columns. */
  columns: Readonly<Record<string, string>>
  /** Rows in TabSeparated form, as for `insert`. */
  payload: Buffer
}

/**
 * The column store, embedded or on a server: the same SQL works on both. Each call takes one
 * statement. Statements run in the database of Salus, in UTC, and fail with a ClickHouseError,
 * whose message never holds a value from a row or a parameter.
 */
export interface ClickHouse {
  /**
   * Runs a statement without a result. Embedded, it waits its turn with the inserts. On a cluster
   * an `alter table` or `delete` runs on the servers that hold the user of the parameter `userId`,
   * or without that parameter on all, and so does a statement that creates, empties or removes a
   * table.
   */
  command(sql: string, parameters?: QueryParameters): Promise<void>
  /** Returns the whole result as bytes in the named output format, such as JSONEachRow. */
  queryBytes(
    sql: string,
    parameters: QueryParameters,
    format: string,
    sent?: SentRows,
  ): Promise<Uint8Array>
  /**
   * Returns the result as objects. 64-bit integers are JavaScript numbers, so they are exact up to
   * 2^53; select `toString(n)` for larger ones.
   */
  queryRows<Row>(sql: string, parameters?: QueryParameters): Promise<Row[]>
  /**
   * Returns the result in chunks of at most a few MB, as fast as the reader takes them. A chunk may
   * end inside a row. Leaving the loop cancels the query.
   */
  queryStream(
    sql: string,
    parameters: QueryParameters,
    format: string,
    sent?: SentRows,
  ): AsyncIterableIterator<Uint8Array>
  /**
   * Inserts rows in TabSeparated form (`\N` is null; backslash, tab and newline are escaped), or
   * a block of the same columns, which costs the engine a fraction of that.
   * Durable when the promise resolves, and all or nothing up to about a million rows. Only a
   * cluster repeats it, on another server, when a connection broke; after an error on the way the
   * rows may be stored, so write rows that may be stored twice.
   */
  insert(table: string, columns: readonly string[], payload: Buffer | NativeBlock): Promise<void>
  /** Resolves when the store answers. */
  ping(): Promise<void>
  /** Refuses new work, cancels open streams and waits for the statements that run. */
  close(): Promise<void>
  /** Set when rows are spread over the servers of a cluster. */
  readonly cluster?: {
    /** The servers that answer, each with the rows that it holds itself. */
    readonly servers: readonly ClickHouse[]
    /** All servers, shard by shard; those that do not answer are looked for every 3 seconds. */
    readonly members: readonly ClusterMember[]
    /** Numbers of the shards of which no server answers. */
    readonly missingShards: readonly number[]
    /** Moves of people between shards. */
    readonly moves: ClusterMoves
    /**
     * Creates or changes the tables on every server, and returns the numbers of the applied
     * migrations.
     */
    migrate(migrations: readonly Migration[]): Promise<number[]>
  }
}

/**
 * Moves of people between shards, which are named by indexes from 0. Copies of rows lie on two
 * shards meanwhile, and only those of one count.
 */
export interface ClusterMoves {
  /** Name of the cluster in `remote_servers`. */
  readonly cluster: string
  /** Number of shards. */
  readonly shards: number
  /** Returns SQL for the bucket of `user_id`. */
  bucketSql(): Promise<string>
  /** Returns the newest records that any server has. */
  read(): Promise<BucketRecord[]>
  /**
   * Records buckets on all servers, whose tables then send people to the recorded shards.
   * @throws ClickHouseError when a server does not answer; then servers may differ, and the same
   *   call has to be repeated
   */
  record(buckets: readonly Omit<BucketRecord, 'version'>[]): Promise<void>
  /**
   * Returns the servers of a shard that have to be written to: one replica where the tables
   * replicate themselves, else each.
   * @throws ClickHouseError when one of them does not answer
   */
  serversOf(shard: number): readonly { readonly own: ClickHouse }[]
  /** Returns the first of them. */
  serverOf(shard: number): { readonly own: ClickHouse }
}

/** A server of a cluster, as `remote_servers` and CLICKHOUSE_URL name it. */
export interface ClusterMember {
  /** Host and port. */
  host: string
  /**
   * Numbers that count from 1; null for a server that has not answered since the start where
   * CLICKHOUSE_URL names all of them.
   */
  shard: number | null
  replica: number | null
  isUp: boolean
}

/** The part of the column store that reading needs. */
export type ClickHouseReader = Pick<ClickHouse, 'command' | 'queryRows' | 'queryStream' | 'cluster'>
