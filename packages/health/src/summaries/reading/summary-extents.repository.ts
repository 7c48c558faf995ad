import type { Scope } from '@salus/kernel/scope'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '../summary-tables.registry.ts'

type Read = Pick<Scope, 'clickhouse' | 'environment'>

/** Whose data of which resource, and from which provider. */
interface SummaryGroup {
  user_id: string
  provider: string
  resource: string
}

/** From when to when one person has data of a resource from a provider. */
interface SummaryExtent extends SummaryGroup {
  /** Epoch milliseconds of the starts of the first and the last. */
  oldest: number
  newest: number
}

/** The UTC days, YYYY-MM-DD, on which summaries of one person, provider and resource begin. */
interface SummaryDays extends SummaryGroup {
  days: string[]
}

/**
 * Statements over each table by person and provider; a profile is of no time, so it is not among
 * them.
 */
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

/** The extents of all summaries of people; what they have nothing of is not among the rows. */
export function listSummaryExtents(
  { clickhouse, environment }: Read,
  userIds: readonly string[],
): Promise<SummaryExtent[]> {
  return clickhouse.queryRows(EXTENTS, { environmentId: environment.id, userIds })
}

/** The days of all summaries of people that begin within a time, both ends included. */
export function listSummaryDays(
  { clickhouse, environment }: Read,
  userIds: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<SummaryDays[]> {
  const range = { from: from.getTime(), to: to.getTime() }
  return clickhouse.queryRows(DAYS, { environmentId: environment.id, userIds, ...range })
}
