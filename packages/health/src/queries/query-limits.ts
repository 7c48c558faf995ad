import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { AppError, badRequest } from '@salus/kernel/errors'

/** Limits of one query. */
export interface QueryLimits {
  /** Maximum number of rows that it may read. */
  sourceRows: number
  seconds: number
  /** Threads of the engine; more than one is faster from about a hundred thousand rows on. */
  threads: number
}

export type QueryEngine = Pick<ClickHouse, 'queryBytes' | 'queryStream'>

/**
 * Wraps the store with limits on every statement and the errors of
 * docs/contract/09-aggregate.md#errors.
 */
export function withLimits(engine: QueryEngine, limits: QueryLimits): QueryEngine {
  return {
    async queryBytes(sql, parameters, format, sent) {
      try {
        return await engine.queryBytes(limitedSql(sql, limits), parameters, format, sent)
      } catch (error) {
        throw toQueryError(error)
      }
    },
    async *queryStream(sql, parameters, format, sent) {
      try {
        yield* engine.queryStream(limitedSql(sql, limits), parameters, format, sent)
      } catch (error) {
        throw toQueryError(error)
      }
    },
  }
}

function limitedSql(sql: string, { sourceRows, seconds, threads }: QueryLimits): string {
  const settings = [
    `max_rows_to_read = ${sourceRows}`,
    `max_execution_time = ${seconds}`,
    `max_threads = ${threads}`,
    'do_not_merge_across_partitions_select_final = 1',
  ].join(', ')
  // A statement may end with settings of its own.
  return `${sql}${/\nsettings [^\n]*$/.test(sql) ? ',' : '\nsettings'} ${settings}`
}

const TOO_MANY_ROWS = 158
const TIMEOUT_EXCEEDED = 159
const MEMORY_LIMIT_EXCEEDED = 241

function toQueryError(error: unknown): unknown {
  if (!(error instanceof ClickHouseError)) return error
  switch (error.code) {
    case TOO_MANY_ROWS:
    case MEMORY_LIMIT_EXCEEDED:
      return badRequest(
        'range_too_large',
        'The query reads too much data. Query a shorter time range.',
      )
    case TIMEOUT_EXCEEDED:
      return new AppError(
        503,
        'query_timeout',
        'The query took too long. Query a shorter time range.',
      )
    default:
      return error
  }
}
