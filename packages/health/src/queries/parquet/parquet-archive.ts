import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ClickHouse, SentRows } from '@salus/kernel/clickhouse/clickhouse'
import { type Pack, pack } from 'tar-stream'
import type { CompiledQuery } from '../compiled-query.ts'
import { setTimestampsFloating } from './floating-timestamps.ts'
import { type ParquetEncoding, toParquetSql } from './parquet-sql.repository.ts'

interface ParquetQuery extends Pick<CompiledQuery, 'sql' | 'parameters' | 'columns'> {
  /** Returns the rows to send with the statement. */
  readRows?(signal: AbortSignal): Promise<SentRows | undefined>
}

/** Each chosen by measurement (docs/decisions/0016-parquet.md). */
const ALONE: ParquetEncoding = { codec: 'snappy', hasDictionaries: true }
const IN_ARCHIVE: ParquetEncoding = { codec: 'snappy', hasDictionaries: false }
const GZIP_LEVEL = 1

/** Constant, so that equal answers are equal bytes. */
const ENTRY_TIME = new Date(0)

/**
 * Runs a query and returns its table as one Parquet file in memory: types of
 * docs/contract/09-aggregate.md#query-api, timestamps without a zone.
 * @throws {ClickHouseError}
 */
export function openParquetFile(clickhouse: ClickHouse, query: ParquetQuery): Promise<Uint8Array> {
  return writeParquet(clickhouse, query, ALONE)
}

/**
 * Yields the tables of queries as a gzipped tar of 0.parquet, 1.parquet and so on, in their order.
 * One query runs at a time, and one file at a time is in memory. Nothing runs before the first
 * chunk is requested, and when the first chunk arrives, the first query has succeeded. Leaving the
 * loop ends the work after the running query.
 * @throws {ClickHouseError} Also in the middle, when a later query fails.
 */
export async function* openParquetArchive(
  clickhouse: ClickHouse,
  queries: readonly ParquetQuery[],
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const leaving = new AbortController()
  const stop = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
  const archive = pack()
  const compressed = createGzip({ level: GZIP_LEVEL })
  const filled = fillArchive(archive, clickhouse, queries, stop).catch((error) => {
    archive.destroy(error)
    throw error
  })
  const work = Promise.all([filled, pipeline(archive, compressed, { signal: stop })])
  work.catch(() => {})
  try {
    for await (const chunk of compressed) yield chunk
    await work
  } finally {
    leaving.abort()
  }
}

async function fillArchive(
  archive: Pack,
  clickhouse: ClickHouse,
  queries: readonly ParquetQuery[],
  signal: AbortSignal,
): Promise<void> {
  for (const [position, query] of queries.entries()) {
    signal.throwIfAborted()
    const rows = await query.readRows?.(signal)
    const file = await writeParquet(clickhouse, query, IN_ARCHIVE, rows)
    await addEntry(archive, `${position}.parquet`, file)
  }
  archive.finalize()
}

/** Resolves when the archive has accepted the file, at the speed at which it is read. */
function addEntry(archive: Pack, name: string, file: Uint8Array): Promise<void> {
  const header = { name, size: file.byteLength, mtime: ENTRY_TIME }
  return new Promise((resolve, reject) => {
    archive.entry(header, asBuffer(file), (error) => (error ? reject(error) : resolve()))
  })
}

async function writeParquet(
  clickhouse: ClickHouse,
  query: ParquetQuery,
  encoding: ParquetEncoding,
  rows?: SentRows,
): Promise<Uint8Array> {
  const sql = toParquetSql(query, encoding)
  const file = await clickhouse.queryBytes(sql, query.parameters, 'Parquet', rows)
  setTimestampsFloating(file)
  return file
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
