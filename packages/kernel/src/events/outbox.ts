import type { Generated } from 'kysely'
import { partsOf, recordsOf } from '../postgres/bulk.ts'
import type { Db } from '../postgres/database.ts'
import { notifying } from '../postgres/notifications.ts'
import { prepared } from '../postgres/prepared-statements.ts'

/** Reasons for which no endpoint got an event. */
export const UNSENT_REASONS = {
  event_type_prefixes: 'The event_type_prefixes of the team exclude the type.',
  no_endpoint: 'The team had no endpoint.',
  endpoints_disabled: 'Every endpoint of the team was disabled.',
  not_subscribed: 'No endpoint subscribes to the type.',
} as const
export type UnsentReason = keyof typeof UNSENT_REASONS

export interface EventsTable {
  environment_id: string
  id: string
  sequence: Generated<number>
  /** A text, since it may become too large for a number. */
  transaction_id: Generated<string>
  event_type: string
  user_id: string | null
  /**
   * Records that it is about, such as orders; null also for rows from before the column existed.
   */
  subject_ids: string[] | null
  body: Buffer
  body_bytes: number
  created_at: Date
  only_endpoint_id: string | null
  except_endpoint_id: string | null
  unsent_reason: UnsentReason | null
  /** The W3C `traceparent` of the cause, where that was traced. */
  trace_parent: string | null
}

export interface WaitingEventsTable {
  sequence: number
  environment_id: string
  event_id: string
  coalesce_key: Generated<string | null>
  dispatch_after: Generated<Date | null>
}

declare module '../postgres/database.ts' {
  interface Database {
    events: EventsTable
    waiting_events: WaitingEventsTable
  }
}

export type EventRow = Omit<EventsTable, 'sequence' | 'transaction_id'>

/** Channel that is notified when events were committed. */
export const EVENTS_CHANNEL = 'salus_events'

/** Time that an event waits for a further one with its key. */
const COALESCE_MS = 5_000

/** Splits events, as they are written, into parts; more than one part needs one transaction. */
export function partEvents(rows: readonly EventRow[]): EventRow[][] {
  return partsOf(rows, ({ body }) => body.length)
}

/** Returns the handle for statements that write events. */
export const eventWriter = (db: Db): Db => notifying(prepared(db), EVENTS_CHANNEL)

/** Writes a part of partEvents, in order, with an eventWriter that may have statements before. */
export async function insertEventPart(
  db: Pick<Db, 'with'>,
  rows: readonly EventRow[],
): Promise<void> {
  const { columns, records } = recordsOf('events', rows)
  await db
    .with('written', (query) =>
      query
        .insertInto('events')
        .columns(columns)
        .expression(records)
        .returning(['sequence', 'environment_id', 'id']),
    )
    .insertInto('waiting_events')
    .columns(['sequence', 'environment_id', 'event_id'])
    .expression((query) =>
      query.selectFrom('written').select(['sequence', 'environment_id', 'id as event_id']),
    )
    .execute()
}

/**
 * Writes rows of any number of environments, in order; many rows need a transaction of the caller.
 */
export async function insertEvents(db: Db, rows: readonly EventRow[]): Promise<void> {
  await Promise.all(partEvents(rows).map((part) => insertEventPart(eventWriter(db), part)))
}

/** Writes an event that waits for others with its key, or replaces one that already waits. */
export async function coalesce(db: Db, row: EventRow, key: string): Promise<void> {
  const { environment_id: environmentId, body, body_bytes, created_at: at } = row
  const waiting = await db
    .selectFrom('waiting_events')
    .select('event_id')
    .where('environment_id', '=', environmentId)
    .where('coalesce_key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  if (waiting !== undefined) {
    await db
      .updateTable('events')
      .set({ body, body_bytes })
      .where('environment_id', '=', environmentId)
      .where('id', '=', waiting.event_id)
      .execute()
    return
  }
  const { sequence } = await db
    .insertInto('events')
    .values(row)
    .returning('sequence')
    .executeTakeFirstOrThrow()
  const event = { sequence, environment_id: environmentId, event_id: row.id }
  const dispatchAfter = new Date(at.getTime() + COALESCE_MS)
  const added = await db
    .insertInto('waiting_events')
    .values({ ...event, coalesce_key: key, dispatch_after: dispatchAfter })
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'coalesce_key'])
        .where('coalesce_key', 'is not', null)
        .doNothing(),
    )
    .returning('sequence')
    .executeTakeFirst()
  // Another event was first at this very moment; then both are sent.
  if (added === undefined) await db.insertInto('waiting_events').values(event).execute()
}
