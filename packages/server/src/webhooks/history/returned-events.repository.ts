import { recordsOf } from '@salus/kernel/postgres/bulk'
import { sql } from 'kysely'
import { matchesFilter } from '../endpoints/filter-types.ts'
import { findMovedEvents, type HistoryScope, listMovedRange } from './event-history.repository.ts'
import { readDeliveries, readEvent } from './history-rows.ts'
import { readHistoryState } from './history-state.global.repository.ts'

/**
 * Writes moved events and their deliveries into PostgreSQL again, where they can be sent; those
 * that are there stay as they are. Their attempts remain in ClickHouse. Needs a transaction that
 * holds moves.
 */
export async function bringBack(tx: HistoryScope, eventIds: readonly string[]): Promise<void> {
  const { db, environment } = tx
  const { rows: present } = await sql<{ id: string }>`select id from events
    where environment_id = ${environment.id} and id = any(${[...eventIds]}::text[])`.execute(db)
  const known = new Set(present.map(({ id }) => id))
  const missing = eventIds.filter((id) => !known.has(id))
  if (missing.length === 0) return
  const found = await findMovedEvents(tx, await readHistoryState(db), missing)
  if (found.length === 0) return
  const events = found.map((row) => {
    const { is_waiting: _, ...event } = readEvent(environment.id, row)
    return event
  })
  const deliveries = found.flatMap((row) => readDeliveries(environment.id, row))
  const written = recordsOf('events', events)
  await sql`insert into events (${sql.join(written.columns.map((name) => sql.ref(name)))})
    overriding system value ${written.records}`.execute(db)
  if (deliveries.length === 0) return
  const { columns, records } = recordsOf('webhook_deliveries', deliveries)
  await db.insertInto('webhook_deliveries').columns(columns).expression(records).execute()
}

interface EndpointFilter {
  id: string
  filter_types: string[] | null
}

/**
 * Brings back the next moved events of a range that an endpoint subscribes to and did not receive.
 * @returns the id before which all of the range is in PostgreSQL
 */
export async function bringBackUndelivered(
  tx: HistoryScope,
  endpoint: EndpointFilter,
  { fromId, toId }: { fromId: string; toId: string },
  limit: number,
): Promise<string> {
  const state = await readHistoryState(tx.db)
  if (fromId >= state.movedBefore) return toId
  const rows = await listMovedRange(tx, state, { endpointId: endpoint.id, fromId, toId }, limit)
  const wanted = rows.filter((row) => {
    if (!matchesFilter(endpoint.filter_types ?? [], row.event_type)) return false
    const own = readDeliveries(tx.environment.id, { ...row, user_id: '', sequence: 0 }).find(
      ({ endpoint_id: id }) => id === endpoint.id,
    )
    return own === undefined || own.status === 'failed' || own.status === 'cancelled'
  })
  await bringBack(
    tx,
    wanted.map(({ id }) => id),
  )
  const last = rows.at(-1)
  // The smallest text after it.
  return rows.length < limit || last === undefined ? toId : `${last.id}0`
}
