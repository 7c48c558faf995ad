import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { idListSql } from '../storing/stored-summaries.repository.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import { SUMMARY_TABLES } from '../summary-tables.registry.ts'

export type StoredBody = SummaryValues<'body'> & {
  id: string
  device_model: string
  /** Epoch milliseconds. */
  started_at: number
  /** JSON. */
  raw: string
}

/** Returns body summaries of one user by id, the newest version of each. */
export function listStoredBodies(
  clickhouse: ClickHouse,
  environmentId: string,
  userId: string,
  ids: readonly string[],
): Promise<StoredBody[]> {
  const { table, columns } = SUMMARY_TABLES.body
  return clickhouse.queryRows<StoredBody>(
    `select id, device_model, raw, ${Object.keys(columns).join(', ')},
      toUnixTimestamp64Milli(${table}.started_at) as started_at
    from ${table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and id in (${idListSql(ids)})`,
    { environmentId, userId },
  )
}
