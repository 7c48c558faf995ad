import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import { keptJson } from './kept-json.ts'
import type { SampleOwner } from './sample.ts'
import { escapeTsv } from './sample-rows.ts'

/** An item that could not be stored, as it came; of a long one its beginning is kept. */
export interface PutAsideItem {
  resource: string
  reason: string
  item: unknown
}

/** One row of put_aside_items in TabSeparated form. */
export function putAsideRow(owner: SampleOwner, putAside: PutAsideItem, at: Date): string {
  const { environmentId, userId, provider } = owner
  const texts = [putAside.resource, provider, putAside.reason, keptJson(putAside.item)]
  const receivedAt = (at.getTime() / 1000).toFixed(3)
  return `${environmentId}\t${userId}\t${texts.map(escapeTsv).join('\t')}\t${receivedAt}\n`
}

/** Keeps items that could not be stored; durable when it returns. */
export function insertPutAside(clickhouse: ClickHouse, rows: string): Promise<void> {
  return clickhouse.insert(
    'put_aside_items',
    ['environment_id', 'user_id', 'resource', 'provider', 'reason', 'item', 'received_at'],
    Buffer.from(rows),
  )
}

export interface PutAsideRow {
  resource: string
  provider: string
  reason: string
  item: string
  received_at_ms: number
  item_hash: string
}

export interface PutAsideFilter {
  resource: string | null
  provider: string | null
  reason: string | null
}

/** Items put aside for one person in key order, after the given key. */
export function listPutAside(
  clickhouse: ClickHouse,
  environmentId: string,
  userId: string,
  filter: PutAsideFilter,
  after: readonly string[] | null,
  limit: number,
): Promise<PutAsideRow[]> {
  const [resource = '', provider = '', reason = '', hash = '0'] = after ?? []
  return clickhouse.queryRows<PutAsideRow>(
    `select resource, provider, reason, item, toString(item_hash) as item_hash,
      toUnixTimestamp64Milli(received_at) as received_at_ms
    from put_aside_items final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and ({byResource:String} = '' or resource = {byResource:String})
      and ({byProvider:String} = '' or provider = {byProvider:String})
      and ({byReason:String} = '' or reason = {byReason:String})
      and (resource, provider, reason, put_aside_items.item_hash)
        > ({resource:String}, {provider:String}, {reason:String}, toUInt64({hash:String}))
    order by resource, provider, reason, put_aside_items.item_hash
    limit {limit:UInt32}`,
    {
      environmentId,
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
