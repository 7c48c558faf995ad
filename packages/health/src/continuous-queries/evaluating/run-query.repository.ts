import type { ClickHouse, SentRows } from '@salus/kernel/clickhouse/clickhouse'
import type { CompiledQuery } from '../../queries/index.ts'

/** As long as one of the query API may take (docs/contract/09-aggregate.md#errors). */
export const MOST_SECONDS = 30

/**
 * Lines of JSON arrays, at most one more than `mostRows`, in the order of the query; it fails when
 * it would look at more than `mostSourceRows`. One thread: the sums of the same numbers are then
 * the same to the last digit, so that nothing seems to have changed.
 * @param rows Go along with the statement.
 * @param filter Names its environment and person among its own parameters.
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
