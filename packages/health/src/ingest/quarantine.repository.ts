import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { Scope } from '@salus/kernel/scope'
import { keptJson } from './kept-json.ts'
import type { SampleOwner } from './sample.ts'
import { escapeTsv } from './sample-rows.ts'

/** A raw item that could not be stored; of a long one only the beginning. */
export interface QuarantinedItem {
  resource: string
  reason: string
  item: unknown
}

/** Formats one row of quarantined_items as TabSeparated. */
export function quarantineRow(
  { environmentId, userId, provider }: SampleOwner,
  { resource, reason, item }: QuarantinedItem,
  at: Date,
): string {
  const texts = [resource, provider, reason, keptJson(item)]
  const receivedAt = (at.getTime() / 1000).toFixed(3)
  return `${environmentId}\t${userId}\t${texts.map(escapeTsv).join('\t')}\t${receivedAt}\n`
}

/** Stores quarantined items; durable when it returns. */
export function insertQuarantined(clickhouse: ClickHouse, rows: string): Promise<void> {
  return clickhouse.insert(
    'quarantined_items',
    ['environment_id', 'user_id', 'resource', 'provider', 'reason', 'item', 'received_at'],
    Buffer.from(rows),
  )
}

interface QuarantinedRow {
  resource: string
  provider: string
  reason: string
  item: string
  received_at_ms: number
  item_hash: string
}

interface QuarantineFilter {
  resource: string | null
  provider: string | null
  reason: string | null
}

/** Returns a user's quarantined items in key order, after the given key. */
export function listQuarantined(
  { clickhouse, environment }: Scope,
  userId: string,
  filter: QuarantineFilter,
  after: Pick<QuarantinedRow, 'resource' | 'provider' | 'reason' | 'item_hash'> | null,
  limit: number,
): Promise<QuarantinedRow[]> {
  const { resource = '', provider = '', reason = '', item_hash: hash = '0' } = after ?? {}
  return clickhouse.queryRows<QuarantinedRow>(
    `select resource, provider, reason, item, toString(item_hash) as item_hash,
      toUnixTimestamp64Milli(received_at) as received_at_ms
    from quarantined_items final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and ({byResource:String} = '' or resource = {byResource:String})
      and ({byProvider:String} = '' or provider = {byProvider:String})
      and ({byReason:String} = '' or reason = {byReason:String})
      and (resource, provider, reason, quarantined_items.item_hash)
        > ({resource:String}, {provider:String}, {reason:String}, toUInt64({hash:String}))
    order by resource, provider, reason, quarantined_items.item_hash
    limit {limit:UInt32}`,
    {
      environmentId: environment.id,
      userId,
      byResource: filter.resource ?? '',
      byProvider: filter.provider ?? '',
      byReason: filter.reason ?? '',
      resource,
      provider,
      reason,
      hash,
      limit,
    },
  )
}
