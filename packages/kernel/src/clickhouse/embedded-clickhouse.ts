import { resolve } from 'node:path'
import type { Session } from 'chdb'
import { StartupError } from '../errors.ts'
import type { ClickHouse, QueryParameters, SentRows } from './clickhouse.ts'
import { ClickHouseError, toClickHouseError } from './clickhouse-error.ts'
import { writeEngineConfig } from './engine-config.ts'
import { insertBlock, prepareBlocks } from './insert-block.ts'
import { NativeBlock } from './native-block.ts'
import { namedParameters, setParametersSql } from './query-parameters.ts'
import { checkedTable, parseRows, structureOf } from './result-rows.ts'
import { SessionPool } from './session-pool.ts'

export interface EmbeddedClickHouseOptions {
  /**
   * Folder of the data; created if missing. One process at a time may use it, and a process uses
   * one folder.
   */
  directory: string
  /**
   * Number of queries that run at the same time; 2 by default. Each running statement, also each
   * insert, holds a thread of the libuv pool, which has four unless UV_THREADPOOL_SIZE says more,
   * and file and name lookups need the same threads.
   */
  readSessions?: number
  log?: { info(fields: object, message: string): void }
}

/** Streams wait for their readers, so they have their own sessions and cannot hold up queries. */
const STREAM_SESSIONS = 4

/**
 * One thread for each statement by default, which suits narrow reads; a wide one sets `SETTINGS
 * max_threads = 2` in its SQL. Parameters of a few MB fit. Inserts come without duplicates and in
 * one piece, so this saves a pass for the former and threads for the latter. Old events of one
 * insert may be of any number of days.
 */
const SESSION_SETTINGS = `SET max_threads = 1, max_insert_threads = 1, async_insert = 0,
  optimize_on_insert = 0, input_format_parallel_parsing = 0, max_partitions_per_insert_block = 0,
  session_timezone = 'UTC', output_format_json_quote_64bit_integers = 0,
  log_queries = 0, max_query_size = 16777216`

/**
 * Opens the engine inside this process, on MergeTree files under `directory`.
 * @throws StartupError when the folder cannot be opened, such as when a second process holds it.
 */
export async function openEmbeddedClickHouse(
  options: EmbeddedClickHouseOptions,
): Promise<ClickHouse> {
  const directory = resolve(options.directory)
  const engine = await loadEngine()
  try {
    const config = await writeEngineConfig(directory)
    const folders = { directory, config, blocks: await prepareBlocks(directory) }
    const clickhouse = new EmbeddedClickHouse(engine, folders, options.readSessions ?? 2)
    await clickhouse.ping()
    options.log?.info({ directory }, 'embedded ClickHouse is open')
    return clickhouse
  } catch (error) {
    throw new StartupError(
      `Cannot open the embedded ClickHouse in ${directory}: ${toClickHouseError(error).message}. ` +
        'Check that no other process uses this folder and that it can be written.',
      { cause: error },
    )
  }
}

type Engine = typeof import('chdb')

/**
 * Loads the engine when it is first used, so that none has to be installed with an external server.
 */
async function loadEngine(): Promise<Engine> {
  try {
    return await import('chdb')
  } catch (cause) {
    throw new StartupError(
      `There is no embedded ClickHouse for ${process.platform} ${process.arch} (npm package chdb). ` +
        'Install with optional dependencies, or set CLICKHOUSE_URL to your own ClickHouse.',
      { cause },
    )
  }
}

interface Folders {
  /** Of the data. */
  directory: string
  /** Path of the configuration. */
  config: string
  /** Folder of blocks on their way into the engine. */
  blocks: string
}

class EmbeddedClickHouse implements ClickHouse {
  readonly #engine: Engine
  readonly #folders: Folders
  readonly #writes = new SessionPool(1, () => this.#openSession())
  readonly #reads: SessionPool
  readonly #streams = new SessionPool(STREAM_SESSIONS, () => this.#openSession())
  readonly #running = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  constructor(engine: Engine, folders: Folders, readSessions: number) {
    this.#engine = engine
    this.#folders = folders
    this.#reads = new SessionPool(readSessions, () => this.#openSession())
  }

  async command(sql: string, parameters: QueryParameters = {}): Promise<void> {
    await this.#query(this.#writes, sql, parameters, 'Null')
  }

  queryBytes(
    sql: string,
    parameters: QueryParameters,
    format: string,
    sent?: SentRows,
  ): Promise<Uint8Array> {
    if (sent === undefined) return this.#query(this.#reads, sql, parameters, format)
    return this.#run(this.#reads, (session) =>
      withSentRows(session, sent, () => runStatement(session, sql, parameters, format)),
    )
  }

  async queryRows<Row>(sql: string, parameters: QueryParameters = {}): Promise<Row[]> {
    return parseRows(await this.#query(this.#reads, sql, parameters, 'JSONEachRow'))
  }

  async *queryStream(sql: string, parameters: QueryParameters, format: string, sent?: SentRows) {
    this.#refuseWhenClosing()
    const setParameters = setParametersSql(namedParameters(sql, parameters))
    const session = await this.#streams.acquire()
    try {
      this.#refuseWhenClosing()
      if (sent) await this.#track(sendRows(session, sent))
      if (setParameters) await this.#track(session.queryAsync(setParameters))
      const stream = session.queryStream(sql, { format, signal: this.#closing.signal })
      for await (const chunk of stream) yield chunk.raw()
      // A stream that close() cut off ends like a whole one.
      this.#refuseWhenClosing()
    } catch (error) {
      throw toClickHouseError(error)
    } finally {
      if (sent) await this.#track(dropSentRows(session, sent))
      this.#streams.release(session)
    }
  }

  async insert(
    table: string,
    columns: readonly string[],
    payload: Buffer | NativeBlock,
  ): Promise<void> {
    await this.#run<unknown>(this.#writes, (session) =>
      payload instanceof NativeBlock
        ? insertBlock(session, this.#folders.blocks, table, columns, payload)
        : session.insert({ table, columns, values: payload, format: 'TabSeparated' }),
    )
  }

  async ping(): Promise<void> {
    await this.#query(this.#reads, 'SELECT 1', {}, 'Null')
  }

  async close(): Promise<void> {
    this.#closing.abort()
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
    for (const pool of [this.#streams, this.#reads, this.#writes]) pool.close()
    await this.#engine.drainPending()
  }

  #query(
    pool: SessionPool,
    sql: string,
    parameters: QueryParameters,
    format: string,
  ): Promise<Uint8Array> {
    return this.#run(pool, (session) => runStatement(session, sql, parameters, format))
  }

  async #run<Result>(
    pool: SessionPool,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    this.#refuseWhenClosing()
    try {
      return await this.#track(pool.run(work))
    } catch (error) {
      throw toClickHouseError(error)
    }
  }

  #track<Result>(work: Promise<Result>): Promise<Result> {
    const settled = work.then(
      () => {},
      () => {},
    )
    this.#running.add(settled)
    settled.then(() => this.#running.delete(settled))
    return work
  }

  #refuseWhenClosing(): void {
    if (this.#closing.signal.aborted) throw new ClickHouseError(0, 'ClickHouse is closed')
  }

  async #openSession(): Promise<Session> {
    const { directory, config } = this.#folders
    const session = new this.#engine.Session(directory, {
      connectionArgs: [`--config-file=${config}`],
    })
    try {
      await session.queryAsync('CREATE DATABASE IF NOT EXISTS salus')
      await session.queryAsync('USE salus')
      await session.queryAsync(SESSION_SETTINGS)
      return session
    } catch (error) {
      session.close()
      throw error
    }
  }
}

async function runStatement(
  session: Session,
  sql: string,
  parameters: QueryParameters,
  format: string,
): Promise<Uint8Array> {
  const setParameters = setParametersSql(namedParameters(sql, parameters))
  const script = setParameters ? `${setParameters};\n${sql}` : sql
  return (await session.queryAsync(script, { format })).bytes()
}

/** Sends rows as a temporary table of the session, which nothing else uses meanwhile. */
async function sendRows(session: Session, { table, columns, payload }: SentRows): Promise<void> {
  const name = checkedTable(table)
  await session.queryAsync(`DROP TEMPORARY TABLE IF EXISTS ${name}`)
  await session.queryAsync(
    `CREATE TEMPORARY TABLE ${name} (${structureOf(columns)}) ENGINE = Memory`,
  )
  if (payload.length === 0) return
  const names = Object.keys(columns)
  await session.insert({ table: name, columns: names, values: payload, format: 'TabSeparated' })
}

/** Drops the table; one that cannot be dropped now is dropped before the next rows. */
async function dropSentRows(session: Session, { table }: SentRows): Promise<void> {
  await session
    .queryAsync(`DROP TEMPORARY TABLE IF EXISTS ${checkedTable(table)}`)
    .catch(() => undefined)
}

async function withSentRows<Result>(
  session: Session,
  sent: SentRows,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    await sendRows(session, sent)
    return await work()
  } finally {
    await dropSentRows(session, sent)
  }
}
