import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { StartupError } from '../errors.ts'
import type { ClickHouse, QueryParameters, SentRows } from './clickhouse.ts'
import { ClickHouseError, connectionProblem, toClickHouseError } from './clickhouse-error.ts'
import { failOnException } from './http-exception.ts'
import { NativeBlock } from './native-block.ts'
import { namedParameters } from './query-parameters.ts'
import { checkedTable, parseRows } from './result-rows.ts'
import { type Login, postWithRows } from './sent-rows.ts'

export interface RemoteClickHouseOptions {
  /** `http://user:password@host:8123/database`; without a path the database is `salus`. */
  url: string
  /** Database to use instead of the one in the URL. */
  database?: string
  /** Time limit of the first answer, in milliseconds; 5,000 by default. */
  connectTimeoutMs?: number
  /** Settings of every statement, besides those that all have. */
  settings?: ClickHouseSettings
}

const ACCESS_DENIED = 497
const REQUEST_TIMEOUT_MS = 300_000

/**
 * Settings that the embedded engine has by default, so that the same SQL returns the same bytes.
 */
const STATEMENT_SETTINGS: ClickHouseSettings = {
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 0,
  // A list of ids may be long.
  max_query_size: '16777216',
}

const READ_SETTINGS: ClickHouseSettings = {
  ...STATEMENT_SETTINGS,
  cancel_http_readonly_queries_on_client_close: 1,
}

/** An acknowledged row is on its shard, and not in a queue in memory or of a Distributed table. */
const WRITE_SETTINGS: ClickHouseSettings = {
  ...STATEMENT_SETTINGS,
  // Old events of one insert may be of any number of days.
  max_partitions_per_insert_block: '0',
  async_insert: 0,
  distributed_foreground_insert: 1,
  wait_end_of_query: 1,
}

/**
 * Connects to a ClickHouse server over HTTP and creates the database if it is missing.
 * @throws StartupError, without the password, when the server does not answer or refuses the user
 */
export async function openRemoteClickHouse(
  options: RemoteClickHouseOptions,
): Promise<RemoteClickHouse> {
  const url = new URL(options.url)
  const database = options.database ?? databaseOf(url)
  const login = {
    url: `${url.protocol}//${url.host}`,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    log: { LoggerClass: SilentLogger },
  }
  const timeout = options.connectTimeoutMs ?? 5000
  const first = createClient({ ...login, request_timeout: timeout })
  try {
    await createDatabase(first, database)
  } catch (error) {
    throw unreachable(url, error)
  } finally {
    await first.close()
  }
  return new RemoteClickHouse(
    createClient({ ...login, database, request_timeout: REQUEST_TIMEOUT_MS }),
    { ...login, database, timeoutMs: REQUEST_TIMEOUT_MS },
    options.settings ?? {},
  )
}

/** Returns the database that an address names. */
export function databaseOf(url: URL): string {
  return decodeURIComponent(url.pathname.slice(1)) || 'salus'
}

async function createDatabase(client: ClickHouseClient, database: string): Promise<void> {
  try {
    const query = 'CREATE DATABASE IF NOT EXISTS {database:Identifier}'
    await client.command({ query, query_params: { database } })
  } catch (error) {
    // A user without that right works in an existing database.
    if (toClickHouseError(error).code !== ACCESS_DENIED) throw error
  }
}

function unreachable(url: URL, error: unknown): StartupError {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const { code } = toClickHouseError(error)
  const problem = code === 0 ? connectionProblem(error) : `ClickHouse error ${code}`
  return new StartupError(
    `Cannot reach ClickHouse at ${url.hostname}:${port} (${problem}). Check CLICKHOUSE_URL.`,
  )
}

/** Created by openRemoteClickHouse. */
export class RemoteClickHouse implements ClickHouse {
  readonly #client: ClickHouseClient
  readonly #login: Login
  readonly #settings: ClickHouseSettings
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  constructor(client: ClickHouseClient, login: Login, settings: ClickHouseSettings) {
    this.#client = client
    this.#login = login
    this.#settings = settings
  }

  /** Returns the same connections for statements with further settings; not to be closed. */
  withSettings(settings: ClickHouseSettings): RemoteClickHouse {
    return new RemoteClickHouse(this.#client, this.#login, { ...this.#settings, ...settings })
  }

  async command(sql: string, parameters: QueryParameters = {}): Promise<void> {
    await this.#run(async () =>
      this.#client.command({
        query: sql,
        query_params: clientParameters(sql, parameters),
        clickhouse_settings: { ...WRITE_SETTINGS, ...this.#settings },
      }),
    )
  }

  queryBytes(
    sql: string,
    parameters: QueryParameters,
    format: string,
    sent?: SentRows,
  ): Promise<Uint8Array> {
    // The server keeps the answer until the query has ended, so an error is never inside it.
    const settings = { ...READ_SETTINGS, ...this.#settings, wait_end_of_query: 1 as const }
    return this.#run(async () => {
      if (sent !== undefined) {
        const statement = { sql: `${sql}\nFORMAT ${format}`, parameters, settings, sent }
        const response = await postWithRows(this.#login, statement, this.#closing.signal)
        return new Uint8Array(await response.arrayBuffer())
      }
      const result = await this.#client.exec({
        query: `${sql}\nFORMAT ${format}`,
        query_params: clientParameters(sql, parameters),
        clickhouse_settings: settings,
      })
      const chunks: Buffer[] = []
      for await (const chunk of result.stream) chunks.push(chunk)
      return Buffer.concat(chunks)
    })
  }

  async queryRows<Row>(sql: string, parameters: QueryParameters = {}): Promise<Row[]> {
    return parseRows(await this.queryBytes(sql, parameters, 'JSONEachRow'))
  }

  async *queryStream(sql: string, parameters: QueryParameters, format: string, sent?: SentRows) {
    this.#refuseWhenClosing()
    const cancel = new AbortController()
    const signal = AbortSignal.any([cancel.signal, this.#closing.signal])
    try {
      if (sent !== undefined) {
        const settings = { ...READ_SETTINGS, ...this.#settings }
        const statement = { sql: `${sql}\nFORMAT ${format}`, parameters, settings, sent }
        const { body, headers } = await postWithRows(this.#login, statement, signal)
        const chunks = Readable.fromWeb(body as WebStream, { objectMode: false })
        const tag = headers.get('x-clickhouse-exception-tag') ?? undefined
        yield* failOnException(chunks, tag)
        return
      }
      const result = await this.#client.exec({
        query: `${sql}\nFORMAT ${format}`,
        query_params: clientParameters(sql, parameters),
        clickhouse_settings: { ...READ_SETTINGS, ...this.#settings },
        abort_signal: signal,
      })
      yield* failOnException(result.stream, result.response_headers['x-clickhouse-exception-tag'])
    } catch (error) {
      throw toClickHouseError(error)
    } finally {
      cancel.abort()
    }
  }

  async insert(
    table: string,
    columns: readonly string[],
    payload: Buffer | NativeBlock,
  ): Promise<void> {
    const settings = { ...WRITE_SETTINGS, ...this.#settings }
    if (payload instanceof NativeBlock) {
      const query = `INSERT INTO ${checkedTable(table)} (${columns.map(checkedTable).join(', ')}) FORMAT Native`
      const values = Readable.from([payload.toBytes()], { objectMode: false })
      await this.#run(async () => {
        const { stream } = await this.#client.exec({ query, values, clickhouse_settings: settings })
        stream.resume()
        await finished(stream)
      })
      return
    }
    const [first, ...rest] = columns
    if (first === undefined) throw new TypeError('An insert names its columns.')
    await this.#run(async () =>
      this.#client.insert({
        table: checkedTable(table),
        columns: [first, ...rest],
        values: Readable.from([payload], { objectMode: false }),
        format: 'TabSeparated',
        clickhouse_settings: settings,
      }),
    )
  }

  async ping(): Promise<void> {
    await this.queryBytes('SELECT 1', {}, 'Null')
  }

  async close(): Promise<void> {
    this.#closing.abort()
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    await this.#client.close()
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#refuseWhenClosing()
    const running = work()
    this.#running.add(running)
    try {
      return await running
    } catch (error) {
      throw toClickHouseError(error)
    } finally {
      this.#running.delete(running)
    }
  }

  #refuseWhenClosing(): void {
    if (this.#closing.signal.aborted) throw new ClickHouseError(0, 'ClickHouse is closed')
  }
}

/** The client escapes strings and arrays itself; a boolean is 1 or 0, which Bool and UInt8 take. */
function clientParameters(sql: string, parameters: QueryParameters): Record<string, unknown> {
  const named = namedParameters(sql, parameters)
  return Object.fromEntries(
    named.map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  )
}

/**
 * Keeps the client from writing statements and addresses to the console; errors reach the caller.
 */
class SilentLogger {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}
