import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import { isNotAboutDeletedUser } from '../messages/messages.repository.ts'

/** A position in the feed: the transaction that wrote an event, and its number. */
export interface FeedPosition {
  /** A text, since it may become too large for a number. */
  transactionId: string
  sequence: number
}

/** True when the first comes before the second. */
export function isBefore(one: FeedPosition, other: FeedPosition): boolean {
  if (one.transactionId === other.transactionId) return one.sequence < other.sequence
  return BigInt(one.transactionId) < BigInt(other.transactionId)
}

export interface FeedEvent {
  transaction_id: string
  sequence: number
  id: string
  event_type: string
  created_at: Date
  body: Buffer
}

/** Events of PostgreSQL, and the largest transaction of which ClickHouse has some then. */
interface RecentEvents {
  events: FeedEvent[]
  movedTransactionId: string
}

/**
 * Returns the next events after a position, without those that the team's own settings exclude.
 * Events of transactions younger than the oldest running one have to wait for it: otherwise a
 * reader would miss an event that it writes.
 */
export async function listRecentEventsAfter(
  { db, environment }: RowScope,
  { transactionId, sequence }: FeedPosition,
  limit: number,
): Promise<RecentEvents> {
  const { rows } = await sql<FeedEvent & { moved: string }>`
    select state.moved::text as moved, next.id, event_type, created_at, body, sequence,
      next.transaction_id::text as transaction_id
    from (select coalesce((select moved_transaction_id from event_history_state), '0'::xid8) as moved)
      as state
    left join lateral (
      select id, event_type, created_at, body, sequence, transaction_id
      from events
      where environment_id = ${environment.id}
        and (transaction_id, sequence) > (${transactionId}::xid8, ${sequence}::bigint)
        and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
        and only_endpoint_id is null
        and ${isNotAboutDeletedUser('events')}
        and unsent_reason is distinct from 'event_type_prefixes'
      order by transaction_id, sequence
      limit ${limit}
    ) as next on true
    order by next.transaction_id, sequence`.execute(db)
  const movedTransactionId = rows[0]?.moved ?? '0'
  return {
    // Without events there is one row of nulls.
    events: rows.filter(({ id }) => id !== null).map(({ moved: _, ...event }) => event),
    movedTransactionId,
  }
}

/**
 * True while committed events after a position exist, also those that have to wait for an older
 * transaction.
 */
export async function hasEventsAfter(
  { db, environment }: RowScope,
  { transactionId, sequence }: FeedPosition,
): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where(sql<boolean>`(transaction_id, sequence) > (${transactionId}::xid8, ${sequence}::bigint)`)
    .where('only_endpoint_id', 'is', null)
    .where(isNotAboutDeletedUser('events'))
    .where(sql<boolean>`unsent_reason is distinct from 'event_type_prefixes'`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
