import type { Db } from '@salus/kernel/postgres/database'
import { moveOldEvents } from '../../src/webhooks/history/move-events.ts'
import type { Harness } from '../harness.ts'

type Stores = Pick<Harness, 'database' | 'clickhouse'>

/** As if the processes of the version before had ended. */
export async function allowMoves({ database }: Stores): Promise<void> {
  await database.pool.query(`insert into event_history_state (created_at)
    values (now() - interval '2 hours') on conflict do nothing`)
}

/** Moves what is over at a time, some events in each move; returns how many. */
export function moveEvents(
  { database, clickhouse }: Stores & { database: { db: Db } },
  at: Date,
  { atOnce = 5_000, signal = new AbortController().signal } = {},
): Promise<number> {
  return moveOldEvents({ db: database.db, clickhouse, clock: { now: () => at } }, signal, {
    atOnce,
  })
}
