import { holdBackups } from '@salus/kernel/postgres/between-backups.global.repository'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

interface EventHistoryStateTable {
  singleton: boolean
  moves: number
  moved_before: string
  moved_transaction_id: string
  moved_attempts_until: Date | null
  created_at: Date
  all_events_since: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    event_history_state: EventHistoryStateTable
  }
}

/** What of ClickHouse counts. */
export interface HistoryState {
  /** Number of the last completed move: rows of a later one are still in PostgreSQL too. */
  moves: number
  /** Every moved event has a smaller id. */
  movedBefore: string
  /** The largest moved ones. */
  movedTransactionId: string
  movedAttemptsUntil: Date | null
}

const NOTHING_MOVED: HistoryState = {
  moves: 0,
  movedBefore: '',
  movedTransactionId: '0',
  movedAttemptsUntil: null,
}

export async function readHistoryState(db: Db): Promise<HistoryState> {
  const row = await db
    .selectFrom('event_history_state')
    .select(['moves', 'moved_before', 'moved_attempts_until'])
    .select(sql<string>`moved_transaction_id::text`.as('moved_transaction_id'))
    .executeTakeFirst()
  if (row === undefined) return NOTHING_MOVED
  return {
    moves: row.moves,
    movedBefore: row.moved_before,
    movedTransactionId: row.moved_transaction_id,
    movedAttemptsUntil: row.moved_attempts_until,
  }
}

/**
 * Reads PostgreSQL as it is at one instant, with the state of that instant: what it shows of an
 * event, in both stores together, is complete and occurs once.
 */
export function readAtOneInstant<Result>(
  db: Db,
  read: (db: Db, state: HistoryState) => Promise<Result>,
): Promise<Result> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => read(transaction, await readHistoryState(transaction)))
}

/** Lock of moves, for the transaction: one move, or any number that send old events again. */
const MOVES = sql`hashtextextended('salus:event-history', 0)`

/** Keeps events where they are until the transaction ends. */
export async function holdMoves(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${MOVES})`.execute(db)
}

/** Keeps events where they are, and old ones from being sent again, until the transaction ends. */
export async function lockMoves(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${MOVES})`.execute(db)
}

/**
 * Locks events against everything that sends old ones again, and the two stores against a backup,
 * until the transaction ends; false when another process moves events.
 */
export async function tryLockMoves(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_mine: boolean }>`
    select pg_try_advisory_xact_lock(${MOVES}) as is_mine`.execute(db)
  if (!rows[0]?.is_mine) return false
  await walkIndexes(db)
  await holdBackups(db)
  return true
}

/**
 * Makes statements of the transaction find rows by their keys. A move takes a small part of large
 * tables, for which the planner reads all of a table of a few hundred thousand rows each time.
 */
async function walkIndexes(db: Db): Promise<void> {
  await sql`select set_config(name, 'off', true)
    from unnest(array['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) as name`.execute(db)
}

/** Time for which nothing is moved after the first start of a version that moves it. */
const WAIT_FOR_OLD_PROCESSES = sql`interval '1 hour'`

/** Returns which events no process of a version before looks for in PostgreSQL alone. */
export async function findMovable(db: Db): Promise<'none' | 'of_people' | 'all'> {
  await sql`insert into event_history_state default values on conflict do nothing`.execute(db)
  const { rows } = await sql<{ of_people: boolean; all_events: boolean }>`
    select created_at < now() - ${WAIT_FOR_OLD_PROCESSES} as of_people,
      all_events_since < now() - ${WAIT_FOR_OLD_PROCESSES} as all_events
    from event_history_state`.execute(db)
  if (!rows[0]?.of_people) return 'none'
  return rows[0].all_events ? 'all' : 'of_people'
}

/** Makes the rows of a move count, when the transaction commits. */
export async function completeMove(db: Db, moved: HistoryState): Promise<void> {
  await sql`
    insert into event_history_state
      (moves, moved_before, moved_transaction_id, moved_attempts_until)
    values (${moved.moves}, ${moved.movedBefore}, ${moved.movedTransactionId}::xid8,
      ${moved.movedAttemptsUntil}::timestamptz)
    on conflict (singleton) do update
    set moves = excluded.moves,
      moved_before = greatest(event_history_state.moved_before, excluded.moved_before),
      moved_transaction_id =
        greatest(event_history_state.moved_transaction_id, excluded.moved_transaction_id),
      moved_attempts_until =
        greatest(event_history_state.moved_attempts_until, excluded.moved_attempts_until)
  `.execute(db)
}
