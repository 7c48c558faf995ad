import type { EventType } from '@salus/contracts/event-type'
import type Type from 'typebox'
import type { TSchema } from 'typebox'
import type { PersonRows } from '../clickhouse/remove-rows.ts'
import { awaitWithCommit } from '../postgres/transaction.ts'
import type { Environment, RowScope, TransactionScope } from '../scope.ts'
import { currentTraceParent } from '../telemetry/tracing.ts'
import { packBody, writeBody } from './event-body.ts'
import { newEventId } from './event-id.ts'
import { coalesce, type EventRow, insertEvents } from './outbox.ts'

/** The environment of an event, with the fields that events need. */
export interface EventEnvironment extends Pick<Environment, 'id' | 'teamId'> {
  settings: { event_type_prefixes: string[] | null }
}

export interface NewEvent<Data extends TSchema = TSchema> {
  type: EventType<Data>
  user: { id: string; client_user_id: string } | null
  /**
   * Ids of the records that the event is about: it is removed with any of them. Without ids it is
   * removed only with the user.
   */
  subjectIds?: readonly string[]
  /** Data of the event, or their JSON text where that already exists. */
  data: Type.Static<Data> | JsonText
  /** A further event with this key within 5 s replaces this one. */
  coalesceKey?: string
  onlyEndpointId?: string
  exceptEndpointId?: string
  /**
   * Trace that its deliveries continue; null for none. By default it is the span in which the event
   * is written.
   */
  traceParent?: string | null
}

/**
 * Removes events with their deliveries and attempts; provided by the domain that delivers events.
 */
export interface EventRemoval {
  /**
   * Removes events about records such as orders, appointments and reports, at the end of a
   * transaction. Those in ClickHouse are gone even when it is rolled back.
   * @param about Ids of the records, and of the users to whom they belong. The bytes of events in
   *   ClickHouse are gone at once in an erasure, else with `eraseHidden`.
   */
  deleteAbout(
    tx: RowScope,
    about: { userIds: readonly string[]; ids: readonly string[]; isErasure?: boolean },
  ): Promise<void>
  /** Removes all events about a user. */
  deleteOfPerson(tx: RowScope, userId: string): Promise<void>
  /** Removes those about users that were moved to ClickHouse. */
  deleteMovedOfPeople(people: readonly PersonRows[]): Promise<void>
  /** Removes the bytes of events that were removed from ClickHouse. */
  eraseHidden(): Promise<void>
}

/** JSON text, or its bytes, that is written without being parsed. */
export class JsonText {
  readonly text: string | Uint8Array

  constructor(text: string | Uint8Array) {
    this.text = text
  }
}

/** Ties the data of an event to its type. */
export function newEvent<Data extends TSchema>(event: NewEvent<Data>): NewEvent {
  return event
}

/**
 * Writes events, in order, in the caller's own transaction: they exist when, and only when, that
 * commits. Their time is that of the clock, not of a sandbox whose time was advanced. Write them
 * after the change that they are about, so that a change that had to wait for another one's lock
 * also has the later event.
 */
export async function writeEvents(
  { db, clock, environment }: TransactionScope,
  events: readonly NewEvent[],
): Promise<void> {
  const at = clock.now()
  const plain = events.filter(({ coalesceKey }) => coalesceKey === undefined)
  if (plain.length > 0) {
    const rows = plain.map((event) => toRow(environment, event, at))
    await awaitWithCommit(db, insertEvents(db, rows))
  }
  for (const event of events) {
    const { coalesceKey } = event
    if (coalesceKey !== undefined) await coalesce(db, toRow(environment, event, at), coalesceKey)
  }
}

/**
 * Returns the row of an event; the prefixes of the team are applied here, as they are at this time.
 */
export function toRow(
  { id: environmentId, teamId, settings }: EventEnvironment,
  event: NewEvent,
  at: Date,
): EventRow {
  const { type, user } = event
  const data = event.data instanceof JsonText ? event.data.text : JSON.stringify(event.data)
  const prefixes = settings.event_type_prefixes ?? []
  const isLeftOut = prefixes.length > 0 && !prefixes.some((prefix) => type.name.startsWith(prefix))
  return {
    environment_id: environmentId,
    id: newEventId(at),
    event_type: type.name,
    user_id: user?.id ?? null,
    subject_ids: event.subjectIds === undefined ? null : [...event.subjectIds],
    ...packBody(writeBody({ eventType: type.name, teamId, user, data })),
    created_at: at,
    only_endpoint_id: event.onlyEndpointId ?? null,
    except_endpoint_id: event.exceptEndpointId ?? null,
    unsent_reason: isLeftOut ? 'event_type_prefixes' : null,
    trace_parent:
      event.traceParent === undefined ? (currentTraceParent() ?? null) : event.traceParent,
  }
}
