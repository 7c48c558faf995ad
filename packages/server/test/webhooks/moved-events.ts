import { moveOldEvents } from '../../src/webhooks/history/move-events.ts'
import type { Harness } from '../harness.ts'
import { until } from './until.ts'

type Stores = Pick<Harness, 'database' | 'clickhouse'>

/** As if the processes of the version before had ended. */
export async function allowMoves({ database }: Stores): Promise<void> {
  await database.pool.query(`insert into event_history_state (created_at, all_events_since)
    values (now() - interval '2 hours', now() - interval '2 hours') on conflict do nothing`)
}

/**
 * Moves what is over at a time, some events in each move; returns how many. Events that the feed
 * keeps back, for a transaction of any test, are waited for.
 */
export async function moveEvents(
  { database, clickhouse }: Stores,
  at: Date,
  { atOnce = 5_000, signal = new AbortController().signal } = {},
): Promise<number> {
  await until('older transactions ended', async () => {
    const { rows } = await database.pool.query(`select coalesce(
      max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()), true) as is_readable from events`)
    return rows[0].is_readable as boolean
  })
  const stores = { db: database.db, clickhouse, clock: { now: () => at } }
  return moveOldEvents(stores, signal, { atOnce })
}
