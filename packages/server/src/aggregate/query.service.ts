import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { badRequest } from '../platform/errors.ts'
import type { Db } from '../platform/postgres/database.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { Tenant } from '../teams/index.ts'
import { analyzeQuery } from './analysis/analyze-query.ts'
import { compileQuery, jsonProjection } from './compile/compile-query.ts'
import type { CompiledQuery, Window } from './compiled-query.ts'
import { openParquetArchive } from './parquet/parquet-archive.ts'
import type { QueryRequest } from './query.schema.ts'
import { type QueryEngine, type QueryLimits, withLimits } from './query-limits.ts'
import { getTarget, listPriorities } from './query-target.ts'
import { DAY_MS } from './tables/floating-sql.ts'
import { windowOf } from './window.ts'

export interface QueryContext {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  tenant: Tenant
  maxSourceRows: number
}

const TIMEOUT_SECONDS = 30
/** From here on a second thread of the engine pays. */
const WIDE_WINDOW_DAYS = 100
/** Answers of several queries are held until all are there. */
const MOST_HELD_BYTES = 256 * 1024 * 1024

/** Queries that are ready to run, and the store to run them on. */
export interface PreparedQueries {
  engine: QueryEngine
  queries: readonly CompiledQuery[]
}

/**
 * Checks the queries of a call and writes their statements. Nothing runs before all are valid.
 * @throws AppError 404 for the user, 400 `range_too_large`; InputError 422 for the first bad query.
 */
export async function prepareQueries(
  context: QueryContext,
  userId: string,
  { timeframe, queries, config }: QueryRequest,
): Promise<PreparedQueries> {
  const { db, clickhouse, clock, tenant } = context
  const { environmentId } = tenant
  const analyzed = queries.map((query, at) => analyzeQuery(query, ['body', 'queries', at]))
  const dataTypes = new Set(analyzed.flatMap(({ sources }) => sources[0]?.dataType ?? []))
  const overrides = config?.provider_priority_overrides ?? []
  const [target, priorities] = await Promise.all([
    getTarget(db, environmentId, userId, overrides, clock.now()),
    listPriorities(db, environmentId, dataTypes),
  ])
  const window = windowOf(timeframe)
  const compiled = analyzed.map((query) => {
    const dataType = query.sources[0]?.dataType ?? null
    const providerPriorities = (dataType && priorities.get(dataType)) ?? new Map()
    return compileQuery(query, window, { ...target, providerPriorities })
  })
  return { engine: withLimits(clickhouse, limitsOf(context, window)), queries: compiled }
}

function limitsOf({ maxSourceRows }: QueryContext, { from, to }: Window): QueryLimits {
  const isWide = to - from > WIDE_WINDOW_DAYS * DAY_MS
  return { sourceRows: maxSourceRows, seconds: TIMEOUT_SECONDS, threads: isWide ? 2 : 1 }
}

const OPEN = Buffer.from('{"results":[{"table":')
const BETWEEN = Buffer.from('},{"table":')
const CLOSE = Buffer.from('}]}')

/**
 * The body of an answer in JSON, whose columns the engine writes. All queries have succeeded when the
 * first chunk is there. One query alone is handed on as it comes; of several the answers are held, as a
 * stream that waits for another one would take the engine's place for it.
 * @throws AppError 400 `range_too_large`, 503 `query_timeout`.
 */
export async function* answerJson({
  engine,
  queries,
}: PreparedQueries): AsyncGenerator<Uint8Array, void, undefined> {
  const streams = queries.map((query) =>
    engine.queryStream(jsonProjection(query), query.parameters, 'JSONColumns'),
  )
  const [only, ...others] = streams
  if (only !== undefined && others.length === 0) {
    yield* wrapped(only)
    return
  }
  const budget = { bytes: MOST_HELD_BYTES }
  const tables = await Promise.all(streams.map((stream) => hold(stream, budget)))
  for (const [at, chunks] of tables.entries()) {
    yield at === 0 ? OPEN : BETWEEN
    yield* chunks
  }
  yield CLOSE
}

async function* wrapped(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isOpen = false
  for await (const chunk of stream) {
    if (!isOpen) yield OPEN
    isOpen = true
    yield chunk
  }
  yield CLOSE
}

async function hold(
  stream: AsyncIterable<Uint8Array>,
  budget: { bytes: number },
): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) {
    budget.bytes -= chunk.byteLength
    if (budget.bytes < 0) {
      throw badRequest('range_too_large', 'The answers are too large. Ask for them one by one.')
    }
    chunks.push(chunk)
  }
  return chunks
}

/** The body of an answer in Parquet; the first query has succeeded when the first chunk is there. */
export function answerParquet({ engine, queries }: PreparedQueries): AsyncIterable<Uint8Array> {
  return openParquetArchive(engine as ClickHouse, queries)
}
