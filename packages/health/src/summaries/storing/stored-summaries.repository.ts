import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import {
  eraseRowsOfPeople,
  type PersonRows,
  rowsOfPeople,
} from '@salus/kernel/clickhouse/remove-rows'
import { isUuid } from '@salus/kernel/ids'
import {
  COMMON_HEAD,
  SUMMARY_RESOURCES,
  SUMMARY_TABLES,
  type SummaryResource,
} from '../summary-tables.registry.ts'
import type { StoredSummary } from './stored-summary.ts'
import { insertColumns, REMOVAL_COLUMNS } from './summary-row-text.ts'

/** Users whose rows are looked up, by the ids of environments and users. */
export interface PeopleIds {
  environmentIds: ReadonlySet<string>
  userIds: ReadonlySet<string>
}

/** One stored version of a summary, with what decides whether another one is newer. */
export interface StoredVersionRow {
  environment_id: string
  user_id: string
  id: string
  calendar_date: string | null
  started_at: number
  ended_at: number
  content_hash: string
  created_at: number
  updated_at: number
  version: number
  is_removed: 0 | 1
}

/** A sleep also has the columns of its cycle. */
export type CycleColumns = Pick<
  StoredSummary<'sleep'>,
  | 'timezone_offset'
  | 'time_zone'
  | 'source_type'
  | 'app_id'
  | 'stage_start_offset_second'
  | 'stage_end_offset_second'
  | 'stage_type'
>

const CYCLE_COLUMNS = `, timezone_offset, time_zone, source_type, app_id,
  stage_start_offset_second, stage_end_offset_second, stage_type`

const milliseconds = (column: string): string => `toUnixTimestamp64Milli(${column}) as ${column}`

/** Lists of ids may exceed the parameters of a server; only ids enter the text. */
export function idListSql(ids: Iterable<string>): string {
  const list = [...ids]
  if (!list.every(isUuid)) throw new Error('Only UUIDs can be looked up.')
  return list.map((id) => `'${id}'`).join(',')
}

/** Returns stored versions of summaries; one summary may have several, replaced ones included. */
export function findStoredVersions(
  clickhouse: ClickHouse,
  owners: PeopleIds,
  resource: SummaryResource,
  ids: ReadonlySet<string>,
): Promise<(StoredVersionRow & Partial<CycleColumns>)[]> {
  return clickhouse.queryRows(
    `select environment_id, user_id, id, calendar_date,
      ${['started_at', 'ended_at', 'created_at', 'updated_at'].map(milliseconds).join(', ')},
      toString(content_hash) as content_hash, version, is_removed
      ${resource === 'sleep' ? CYCLE_COLUMNS : ''}
    from ${SUMMARY_TABLES[resource].table}
    where environment_id in (${idListSql(owners.environmentIds)})
      and user_id in (${idListSql(owners.userIds)}) and id in (${idListSql(ids)})`,
  )
}

/** Stores rows written by rowText; durable when it returns. */
export function insertSummaries(
  clickhouse: ClickHouse,
  rows: readonly string[],
  resource: SummaryResource,
): Promise<void> {
  const { table } = SUMMARY_TABLES[resource]
  return clickhouse.insert(table, insertColumns(resource), Buffer.from(rows.join('')))
}

/** Stores rows written by removalText, which hide stored ones; durable when it returns. */
export function insertRemovals(
  clickhouse: ClickHouse,
  rows: readonly string[],
  resource: SummaryResource,
): Promise<void> {
  const { table } = SUMMARY_TABLES[resource]
  return clickhouse.insert(table, REMOVAL_COLUMNS, Buffer.from(rows.join('')))
}

/** Returns whole summaries of one user by id, without removed ones. */
export function listStoredSummaries(
  clickhouse: ClickHouse,
  environmentId: string,
  userId: string,
  resource: SummaryResource,
  ids: readonly string[],
): Promise<StoredSummary[]> {
  const { table, columns } = SUMMARY_TABLES[resource]
  const instants = ['started_at', 'ended_at', 'created_at', 'updated_at']
  const plain = COMMON_HEAD.slice(2).filter((column) => !instants.includes(column))
  return clickhouse.queryRows(
    `select ${[...plain, ...Object.keys(columns), ...instants.map(milliseconds)].join(', ')}
    from ${table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and id in (${idListSql(ids)})
    order by ${table}.started_at, id`,
    { environmentId, userId },
  )
}

/** Returns the ids of summaries that a provider's cloud sent and that start within a range. */
export async function listSummaryIds(
  clickhouse: ClickHouse,
  owner: { environmentId: string; userId: string; provider: string },
  resource: SummaryResource,
  { from, to }: { from: number; to: number },
): Promise<string[]> {
  const rows = await clickhouse.queryRows<{ id: string }>(
    `select id from ${SUMMARY_TABLES[resource].table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and provider = {provider:String} and app_id = ''
      and started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      and started_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')`,
    { ...owner, from, to },
  )
  return rows.map(({ id }) => id)
}

const TABLES = [...SUMMARY_RESOURCES.map((name) => SUMMARY_TABLES[name].table), 'workout_streams']

/** Erases all summaries and workout streams of users. */
export async function eraseSummaries(
  clickhouse: ClickHouse,
  owners: readonly PersonRows[],
): Promise<void> {
  const { condition, parameters } = rowsOfPeople(owners)
  const holding = await clickhouse.queryRows<{ name: string }>(
    TABLES.map((name) => `(select '${name}' as name from ${name} where ${condition} limit 1)`).join(
      ' union all ',
    ),
    parameters,
  )
  const tables = holding.map(({ name }) => name)
  await eraseRowsOfPeople(clickhouse, tables, owners)
}
