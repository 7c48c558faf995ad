import type { ClickHouse, SentRows } from '@salus/kernel/clickhouse/clickhouse'
import type { CompiledQuery } from '../../queries/index.ts'

/** Time limit, as in the query API (docs/contract/09-aggregate.md#errors). */
export const MOST_SECONDS = 30

/**
 * Returns lines of JSON arrays, at most one more than `mostRows`, in the order of the query; fails
 * when it would read more than `mostSourceRows`. Equal rows have equal results to the last digit,
 * so that what was only stored anew is no change.
 * @param rows Sent with the statement.
 * @param filter Names its environment and user among its own parameters.
 */
export async function runQuery(
  clickhouse: ClickHouse,
  filter: Pick<CompiledQuery, 'sql' | 'parameters'>,
  mostRows: number,
  mostSourceRows: number,
  rows: SentRows | undefined,
): Promise<string[]> {
  const bytes = await clickhouse.queryBytes(
    `select * from (\n${filter.sql}\n) limit ${mostRows + 1}
    settings max_execution_time = ${MOST_SECONDS}, max_threads = 1,
      max_rows_to_read = ${mostSourceRows}`,
    filter.parameters,
    'JSONCompactEachRow',
    rows,
  )
  return Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean)
}
