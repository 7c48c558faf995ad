import { HOUR_MS } from '@salus/contracts/time-units'
import type { Stores } from '@salus/kernel/scope'
import type { EventToMove } from './history-rows.ts'
import {
  completeMove,
  findMovable,
  type HistoryState,
  readHistoryState,
  tryLockMoves,
} from './history-state.global.repository.ts'
import * as repository from './move-events.global.repository.ts'

/** Time that an event and its deliveries are left alone before they are moved. */
const QUIET_MS = HOUR_MS
const EVENTS_AT_ONCE = 5_000
/** Of one run: 50 million events, more than an hour has. */
const MOST_MOVES = 10_000
/** Maximum bytes of bodies, before compression, that one move has in memory. */
const MOST_BYTES = 16 * 1024 * 1024

type MoveStores = Pick<Stores, 'db' | 'clickhouse' | 'clock'>

/**
 * Moves events that are over from PostgreSQL to ClickHouse, with deliveries and attempts. Each move
 * stores them in ClickHouse first, and counts when the transaction commits that removes them from
 * PostgreSQL, so that a crash loses nothing and shows nothing twice.
 * @returns number of events
 */
export async function moveOldEvents(
  stores: MoveStores,
  signal: AbortSignal,
  { atOnce = EVENTS_AT_ONCE } = {},
): Promise<number> {
  const movable = await findMovable(stores.db)
  if (movable === 'none') return 0
  let moved = 0
  let position: repository.MovePosition | undefined = repository.FIRST_POSITION
  for (let move = 0; move < MOST_MOVES && position !== undefined; move += 1) {
    if (signal.aborted) return moved
    const done: MoveDone | undefined = await moveSome(stores, position, {
      ...{ atOnce, isFirst: move === 0, ofPeople: movable === 'of_people' },
    })
    if (done === undefined) return moved
    moved += done.events
    position = done.next
  }
  return moved
}

interface MoveDone {
  events: number
  /** Where the next move begins; undefined at the end. */
  next: repository.MovePosition | undefined
}

/** Makes one move; undefined while another process moves events. */
function moveSome(
  { db, clickhouse, clock }: MoveStores,
  from: repository.MovePosition,
  { atOnce, isFirst, ofPeople }: { atOnce: number; isFirst: boolean; ofPeople: boolean },
): Promise<MoveDone | undefined> {
  return db.transaction().execute(async (transaction) => {
    if (!(await tryLockMoves(transaction))) return undefined
    const { moves } = await readHistoryState(transaction)
    if (isFirst) await repository.deleteAbandonedRows(clickhouse, moves)
    const quietSince = new Date(clock.now().getTime() - QUIET_MS)
    const rows: EventToMove[] = []
    let next: repository.MovePosition | undefined = from
    let bytes = 0
    while (rows.length < atOnce && bytes < MOST_BYTES) {
      const environmentId: string | undefined = await repository.findEnvironmentOf(
        transaction,
        next,
      )
      if (environmentId === undefined) {
        next = undefined
        break
      }
      const id: string = environmentId === next.environmentId ? next.id : ''
      const events = await repository.listEventsToMove(
        transaction,
        { environmentId, id },
        { quietSince, ofPeople, limit: atOnce - rows.length, mostBytes: MOST_BYTES },
      )
      rows.push(...(await repository.withDeliveries(transaction, environmentId, events)))
      bytes += events.reduce((sum, { body_bytes: own }) => sum + own, 0)
      const last = events.at(-1)
      // Bodies may have stopped it before the limit, so only an empty answer ends an environment.
      next = { environmentId, id: last?.id ?? END_OF_IDS }
    }
    if (rows.length === 0) return { events: 0, next }
    await repository.insertMoved(clickhouse, rows, moves + 1)
    await repository.deleteMoved(
      transaction,
      rows.map(({ event }) => event),
    )
    await completeMove(transaction, stateAfter(moves + 1, rows))
    return { events: rows.length, next }
  })
}

/** Greater than every id in any collation: the time of a ULID begins with 7 at most. */
const END_OF_IDS = 'msg_8'

/** Returns the state of which one move is the only one. */
function stateAfter(moves: number, rows: readonly EventToMove[]): HistoryState {
  let [lastId, transaction, until] = ['', 0n, 0]
  for (const { event, attempts } of rows) {
    if (event.id > lastId) lastId = event.id
    const transactionId = BigInt(event.transaction_id)
    if (transactionId > transaction) transaction = transactionId
    for (const { attempted_at: at } of attempts) until = Math.max(until, at.getTime())
  }
  return {
    moves,
    // The smallest text after it.
    movedBefore: `${lastId}0`,
    movedTransactionId: String(transaction),
    movedAttemptsUntil: until === 0 ? null : new Date(until),
  }
}
