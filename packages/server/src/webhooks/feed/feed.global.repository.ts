import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { FeedPosition } from './feed.repository.ts'

/**
 * Returns the position before everything that is not committed yet; the same for every environment.
 */
export async function findCurrentPosition(db: Db): Promise<FeedPosition> {
  const { rows } = await sql<{ oldest: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as oldest
  `.execute(db)
  return { transactionId: rows[0]?.oldest ?? '0', sequence: 0 }
}

/**
 * Returns the environments with events after the position given for each: true where the next one
 * can be read, false where it has to wait for an older transaction.
 */
export async function findNextEvents(
  db: Db,
  positions: ReadonlyMap<string, FeedPosition>,
): Promise<Map<string, boolean>> {
  const seen = [...positions.values()]
  const { rows } = await sql<{ environment_id: string; is_readable: boolean }>`
    select seen.environment_id, next.is_readable
    from unnest(
      ${[...positions.keys()]}::uuid[],
      ${seen.map(({ transactionId }) => transactionId)}::text[],
      ${seen.map(({ sequence }) => sequence)}::bigint[]
    ) as seen (environment_id, transaction_id, sequence)
    cross join lateral (
      select events.transaction_id < pg_snapshot_xmin(pg_current_snapshot()) as is_readable
      from events
      where events.environment_id = seen.environment_id
        and (events.transaction_id, events.sequence)
          > (seen.transaction_id::xid8, seen.sequence)
        and only_endpoint_id is null
        and unsent_reason is distinct from 'event_type_prefixes'
      order by events.transaction_id, events.sequence
      limit 1
    ) as next
  `.execute(db)
  return new Map(rows.map((row) => [row.environment_id, row.is_readable]))
}
