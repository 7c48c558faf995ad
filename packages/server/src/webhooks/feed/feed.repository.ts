import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import { isOfNobodyDeleted } from '../messages/messages.repository.ts'

/** A place in the feed: the transaction that wrote an event, and its number. */
export interface FeedPosition {
  /** Text, since it may outgrow a number. */
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

/**
 * The next events after a position, without those that the team's own settings leave out. Events of
 * transactions younger than the oldest one that still runs have to wait for it: otherwise an event
 * that it writes would come in behind a reader.
 */
export function listEventsAfter(
  { db, environment }: RowScope,
  { transactionId, sequence }: FeedPosition,
  limit: number,
): Promise<FeedEvent[]> {
  return (
    db
      .selectFrom('events')
      .select(['id', 'event_type', 'created_at', 'body', 'sequence'])
      .select(sql<string>`transaction_id::text`.as('transaction_id'))
      .where('environment_id', '=', environment.id)
      .where(
        sql<boolean>`(transaction_id, sequence) > (${transactionId}::xid8, ${sequence}::bigint)`,
      )
      .where(sql<boolean>`transaction_id < pg_snapshot_xmin(pg_current_snapshot())`)
      .where('only_endpoint_id', 'is', null)
      .where(isOfNobodyDeleted('events'))
      .where(sql<boolean>`unsent_reason is distinct from 'event_type_prefixes'`)
      // With its table, or it would be the text of the column above that orders.
      .orderBy('events.transaction_id')
      .orderBy('sequence')
      .limit(limit)
      .execute()
  )
}

/**
 * True while events after a position are committed, also such as have to wait for an older
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
    .where(isOfNobodyDeleted('events'))
    .where(sql<boolean>`unsent_reason is distinct from 'event_type_prefixes'`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
