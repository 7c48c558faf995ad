import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse, SentRows } from '@salus/kernel/clickhouse/clickhouse'
import { badRequest } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { analyzeQuery } from './analysis/analyze-query.ts'
import type { AnalyzedQuery } from './analysis/plan.ts'
import { compileQuery } from './compile/compile-query.ts'
import type { CompiledQuery, QueryTarget, SourceRule, Window } from './compiled-query.ts'
import { mergeQueryRows } from './merged-rows.ts'
import { openParquetArchive } from './parquet/parquet-archive.ts'
import type { QueryRequest } from './query.schema.ts'
import { type QueryEngine, type QueryLimits, withLimits } from './query-limits.ts'
import { getQueryTarget, listPriorities } from './query-target.ts'
import { TableJson } from './table-json.ts'
import { windowOf } from './window.ts'

const TIMEOUT_SECONDS = 30
/** Days from which on a second thread of the engine is faster. */
const WIDE_WINDOW_DAYS = 100
/** An answer is assembled in memory. */
const MOST_HELD_BYTES = 256 * 1024 * 1024

/** Prepared queries, and the store to run them on. */
interface PreparedQueries {
  engine: QueryEngine
  queries: readonly PreparedQuery[]
  /** Source rules of the queries, in their order. */
  sourceRules: readonly SourceRule[]
}

interface PreparedQuery extends CompiledQuery {
  /** Groups are few; plain rows may be millions. */
  isGrouped: boolean
  /** Returns rows to send with the statement; undefined when it only reads stored data. */
  readRows(signal: AbortSignal): Promise<SentRows | undefined>
}

/**
 * Checks the queries of a request and compiles their statements. Nothing runs before all are valid.
 * @param maxSourceRows Maximum number of rows that one query may read.
 * @throws AppError 404 for the user, 400 `range_too_large`; InputError 422 for the first invalid
 *   query.
 */
export async function prepareQueries(
  scope: Scope,
  userId: string,
  { timeframe, queries, config }: QueryRequest,
  maxSourceRows: number,
): Promise<PreparedQueries> {
  const analyzed = queries.map((query, at) => analyzeQuery(query, ['body', 'queries', at]))
  const sources = analyzed.flatMap((query) => query.sources)
  const dataTypes = new Set(analyzed.flatMap((query) => query.sources[0]?.dataType ?? []))
  const overrides = config?.provider_priority_overrides ?? []
  const [target, priorities] = await Promise.all([
    getQueryTarget(scope, userId, sources, overrides),
    listPriorities(scope, dataTypes),
  ])
  const window = windowOf(timeframe)
  const limits = limitsOf(maxSourceRows, window)
  const compiled = analyzed.map((query) => {
    const dataType = query.sources[0]?.dataType ?? null
    const providerPriorities = (dataType && priorities.get(dataType)) ?? new Map()
    const prepared = compileQuery(query, window, { ...target, providerPriorities })
    return {
      ...prepared,
      isGrouped: query.result.kind === 'groups',
      readRows: (signal: AbortSignal) =>
        mergeQueryRows(scope, prepared.mergedRows, target, limits, signal),
    }
  })
  const engine = withLimits(scope.clickhouse, limits)
  return { engine, queries: compiled, sourceRules: compiled.map(({ sourceRule }) => sourceRule) }
}

function limitsOf(sourceRows: number, { from, to }: Window): QueryLimits {
  const isWide = to - from > WIDE_WINDOW_DAYS * DAY_MS
  return { sourceRows, seconds: TIMEOUT_SECONDS, threads: isWide ? 2 : 1 }
}

const OPEN = Buffer.from('{"results":[')
const TABLE = Buffer.from('{"table":')
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']}')
const ruleOf = ({ sourceRule }: PreparedQuery) => Buffer.from(`,"source_rule":"${sourceRule}"}`)

/**
 * Yields the body of a JSON answer, whose values the engine writes. A column is complete only with
 * its last row, so all queries have ended when the first chunk arrives.
 * @param signal Aborts the work when the client is gone.
 * @throws AppError 400 `range_too_large`, 503 `query_timeout`.
 */
export async function* streamJsonAnswer(
  { engine, queries }: PreparedQueries,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const leaving = new AbortController()
  const held: Held = {
    bytesLeft: MOST_HELD_BYTES,
    signal: AbortSignal.any([signal, leaving.signal]),
  }
  const readings = queries.map((query) => readTable(engine, query, held))
  try {
    const tables = await Promise.all(readings)
    yield OPEN
    for (const [at, table] of tables.entries()) {
      if (at > 0) yield COMMA
      yield TABLE
      yield* table.pieces()
      yield ruleOf(queries[at] as PreparedQuery)
    }
    yield CLOSE
  } finally {
    // When one query fails, the others are not needed.
    leaving.abort()
  }
}

interface Held {
  bytesLeft: number
  signal: AbortSignal
}

async function readTable(
  engine: QueryEngine,
  query: PreparedQuery,
  held: Held,
): Promise<TableJson> {
  const table = new TableJson(query.columns.map(({ name }) => name))
  const sql = query.jsonSql
  const format = 'JSONCompactColumns'
  const rows = await query.readRows(held.signal)
  if (query.isGrouped) {
    // Starting a stream of the embedded engine blocks the process while the query is planned.
    table.write(await engine.queryBytes(sql, query.parameters, format, rows))
    return table
  }
  for await (const chunk of engine.queryStream(sql, query.parameters, format, rows)) {
    held.signal.throwIfAborted()
    held.bytesLeft -= chunk.byteLength
    if (held.bytesLeft < 0) {
      throw badRequest('range_too_large', 'The answer is too large. Ask for a shorter time.')
    }
    table.write(chunk)
  }
  return table
}

/**
 * Yields the body of a Parquet answer; the first query has succeeded when the first chunk arrives.
 */
export function streamParquetAnswer(
  { engine, queries }: PreparedQueries,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  return openParquetArchive(engine as ClickHouse, queries, signal)
}

/**
 * Returns the rows of a checked query for work in the background, with values as in a JSON answer,
 * in the order of its columns.
 * @throws AppError 400 `range_too_large`, 503 `query_timeout`
 */
export async function readQueryRows(
  scope: Scope,
  analyzed: AnalyzedQuery,
  window: Window,
  target: QueryTarget,
  maxSourceRows: number,
): Promise<unknown[][]> {
  const limits = { sourceRows: maxSourceRows, seconds: TIMEOUT_SECONDS, threads: 1 } as const
  const compiled = compileQuery(analyzed, window, target)
  const sent = await mergeQueryRows(scope, compiled.mergedRows, target, limits)
  const engine = withLimits(scope.clickhouse, limits)
  const { jsonSql, parameters } = compiled
  const bytes = await engine.queryBytes(jsonSql, parameters, 'JSONCompactEachRow', sent)
  const lines = Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as unknown[])
}

/**
 * Returns the tables of queries, each as its columns by name, for code that reads them itself.
 * @throws AppError as prepareQueries and streamJsonAnswer do.
 */
export async function readQueryTables(
  scope: Scope,
  userId: string,
  request: QueryRequest,
  maxSourceRows: number,
): Promise<Record<string, unknown[]>[]> {
  const prepared = await prepareQueries(scope, userId, request, maxSourceRows)
  const chunks: Uint8Array[] = []
  for await (const chunk of streamJsonAnswer(prepared, new AbortController().signal)) {
    chunks.push(chunk)
  }
  const { results } = JSON.parse(Buffer.concat(chunks).toString())
  return results.map(({ table }: { table: Record<string, unknown[]> }) => table)
}
