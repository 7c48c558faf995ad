import {
  SUMMARY_TABLES,
  type SummaryResource,
} from '../../../health/src/summaries/summary-tables.registry.ts'
import type { Answer, Harness } from '../harness.ts'

/**
 * Uploads data of a resource from Apple Health, as the first team; `change` replaces parts of the
 * envelope.
 */
export function uploadSummary(
  harness: Harness,
  userId: string,
  resource: SummaryResource,
  data: unknown,
  change: object = {},
): Promise<Answer> {
  const body = { stage: 'daily', provider: 'apple_health_kit', data, ...change }
  return harness.call('POST', `/v2/summary/${resource}/${userId}`, body)
}

/** Data of an upload: one object of a body and a profile, else a list. */
export function dataOf(resource: SummaryResource, ...items: unknown[]): unknown {
  return resource === 'body' || resource === 'profile' ? items[0] : items
}

/** Stored summaries of a person, all columns, the newest version of each. */
export function storedRows(
  { clickhouse }: Pick<Harness, 'clickhouse'>,
  userId: string,
  resource: SummaryResource,
) {
  return clickhouse.queryRows<Record<string, unknown>>(
    `select *, toUnixTimestamp64Milli(started_at) as started_ms
    from ${SUMMARY_TABLES[resource].table} final
    where user_id = {userId:UUID} order by external_id`,
    { userId },
  )
}
