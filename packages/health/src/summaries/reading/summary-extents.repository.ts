import type { Scope } from '@salus/kernel/scope'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '../summary-tables.registry.ts'

type Read = Pick<Scope, 'clickhouse' | 'environment'>

/** User, resource and provider of data. */
interface SummaryGroup {
  user_id: string
  provider: string
  resource: string
}

/** Time range of a user's data of a resource from a provider. */
interface SummaryExtent extends SummaryGroup {
  /** Start of the first and of the last one in epoch milliseconds. */
  oldest: number
  newest: number
}

/** The UTC days, YYYY-MM-DD, on which summaries of one user, provider and resource begin. */
interface SummaryDays extends SummaryGroup {
  days: string[]
}

/** Returns statements over each table by user and provider, except profiles, which have no time. */
function ofEachResource(columns: string, condition = ''): string {
  const select = (resource: string, table: string, further = ''): string =>
    `select user_id, provider, '${resource}' as resource, ${columns}
    from ${table} final
    where environment_id = {environmentId:UUID} and user_id in {userIds:Array(UUID)}
      ${condition}${further}
    group by user_id, provider`
  return [
    ...SUMMARY_RESOURCES.filter((resource) => resource !== 'profile').map((resource) =>
      select(resource, SUMMARY_TABLES[resource].table),
    ),
    select('sleep_cycle', SUMMARY_TABLES.sleep.table, ' and notEmpty(stage_type)'),
  ].join(' union all ')
}

const EXTENTS = ofEachResource(
  'toUnixTimestamp64Milli(min(started_at)) as oldest, toUnixTimestamp64Milli(max(started_at)) as newest',
)
const DAYS = ofEachResource(
  "groupUniqArray(toString(toDate(started_at, 'UTC'))) as days",
  `and started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      and started_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')`,
)

/** Returns the extents of all summaries of users; resources without data have no row. */
export function listSummaryExtents(
  { clickhouse, environment }: Read,
  userIds: readonly string[],
): Promise<SummaryExtent[]> {
  return clickhouse.queryRows(EXTENTS, { environmentId: environment.id, userIds })
}

/** Returns the days of all summaries of users that begin within a time, both ends included. */
export function listSummaryDays(
  { clickhouse, environment }: Read,
  userIds: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<SummaryDays[]> {
  const range = { from: from.getTime(), to: to.getTime() }
  return clickhouse.queryRows(DAYS, { environmentId: environment.id, userIds, ...range })
}
