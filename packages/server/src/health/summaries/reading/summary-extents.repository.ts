import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '../summary-tables.registry.ts'

/** From when to when one person has data of a resource from a provider. */
export interface SummaryExtent {
  user_id: string
  provider: string
  resource: string
  /** Epoch milliseconds of the starts of the first and the last. */
  oldest: number
  newest: number
}

const extentSql = (resource: string, table: string, condition = ''): string =>
  `select user_id, provider, '${resource}' as resource,
    toUnixTimestamp64Milli(min(started_at)) as oldest,
    toUnixTimestamp64Milli(max(started_at)) as newest
  from ${table} final
  where environment_id = {environmentId:UUID} and user_id in {userIds:Array(UUID)}${condition}
  group by user_id, provider`

/**
 * The extents of all summaries of people; what they have nothing of is not among the rows, and neither
 * is a profile, which is of no time.
 */
export function listSummaryExtents(
  clickhouse: ClickHouse,
  environmentId: string,
  userIds: readonly string[],
): Promise<SummaryExtent[]> {
  const statements = [
    ...SUMMARY_RESOURCES.filter((resource) => resource !== 'profile').map((resource) =>
      extentSql(resource, SUMMARY_TABLES[resource].table),
    ),
    extentSql('sleep_cycle', SUMMARY_TABLES.sleep.table, ' and notEmpty(stage_type)'),
  ]
  return clickhouse.queryRows(statements.join(' union all '), { environmentId, userIds })
}
