import { packBody, unpackBody } from '@salus/kernel/events/event-body'
import type { EventsTable, UnsentReason } from '@salus/kernel/events/outbox'
import type { Selectable } from 'kysely'
import type {
  AttemptError,
  DeliveryStatus,
  WebhookAttemptsTable,
  WebhookDeliveriesTable,
} from '../webhooks.tables.ts'

export type StoredEvent = Selectable<EventsTable>
export type StoredDelivery = Selectable<WebhookDeliveriesTable>
type StoredAttempt = WebhookAttemptsTable & Pick<StoredEvent, 'event_type'>

/** An event with all that is moved with it. */
export interface EventToMove {
  event: StoredEvent
  /** In the order in which their endpoints were created. */
  deliveries: readonly StoredDelivery[]
  attempts: readonly WebhookAttemptsTable[]
}

/** Person of events without one. */
export const NO_PERSON = '00000000-0000-0000-0000-000000000000'
const personOf = (userId: string | null): string => userId ?? NO_PERSON
const personOrNull = (userId: string): string | null => (userId === NO_PERSON ? null : userId)

/** A row of `event_history` without its body. */
export interface HistoryRow {
  id: string
  user_id: string
  event_type: string
  sequence: number
  transaction_id: string
  created_at_ms: number
  only_endpoint_id: string | null
  except_endpoint_id: string | null
  unsent_reason: string
  trace_parent: string
  subject_ids: readonly string[]
  deliveries: string
}

export const EVENT_COLUMNS = [
  'environment_id',
  'id',
  'user_id',
  'event_type',
  'sequence',
  'transaction_id',
  'created_at',
  'body',
  'only_endpoint_id',
  'except_endpoint_id',
  'unsent_reason',
  'trace_parent',
  'subject_ids',
  'delivery_endpoints',
  'delivery_statuses',
  'deliveries',
  'move',
] as const

export const ATTEMPT_COLUMNS = [
  'environment_id',
  'endpoint_id',
  'attempted_at',
  'event_id',
  'number',
  'user_id',
  'event_type',
  'event_created_at',
  'response_status',
  'error',
  'duration_ms',
  'response_body',
  'move',
] as const

const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\\': '\\\\' }
const escaped = (text: string): string =>
  text.replace(/[\\\t\n]/g, (character) => ESCAPES[character] ?? character)
const orNull = (value: string | number | null): string => (value === null ? '\\N' : String(value))
const seconds = (at: Date): string => (at.getTime() / 1000).toFixed(3)
const listOf = (values: readonly string[]): string =>
  `[${values.map((value) => `'${value}'`).join(',')}]`

/** Returns the line of an event as TabSeparated, in the order of EVENT_COLUMNS. */
export function eventLine({ event, deliveries }: EventToMove, move: number): string {
  return `${[
    event.environment_id,
    event.id,
    personOf(event.user_id),
    event.event_type,
    event.sequence,
    event.transaction_id,
    seconds(event.created_at),
    escaped(unpackBody(event.body).toString('utf8')),
    orNull(event.only_endpoint_id),
    orNull(event.except_endpoint_id),
    event.unsent_reason ?? '',
    escaped(event.trace_parent ?? ''),
    listOf(event.subject_ids ?? []),
    listOf(deliveries.map(({ endpoint_id: id }) => id)),
    listOf(deliveries.map(({ status }) => status)),
    escaped(deliveries.length === 0 ? '' : JSON.stringify(deliveries.map(toKept))),
    move,
  ].join('\t')}\n`
}

/** Returns the lines of the attempts, in the order of ATTEMPT_COLUMNS. */
export function attemptLines({ event, attempts }: EventToMove, move: number): string {
  return attempts
    .map((attempt) => {
      const { environment_id: environmentId, endpoint_id: endpointId, number } = attempt
      const of = [personOf(event.user_id), event.event_type, seconds(event.created_at)]
      const key = [environmentId, endpointId, seconds(attempt.attempted_at), attempt.event_id]
      const { response_status: status, error, duration_ms: duration } = attempt
      const answer = [orNull(status), error ?? '', duration, escaped(attempt.response_body)]
      return `${[...key, number, ...of, ...answer, move].join('\t')}\n`
    })
    .join('')
}

/** A delivery without what the row of its event says. */
type KeptDelivery = [
  endpointId: string,
  status: DeliveryStatus,
  attempts: number,
  run: number,
  failures: number,
  updatedAtMs: number,
]

const toKept = (delivery: StoredDelivery): KeptDelivery => [
  delivery.endpoint_id,
  delivery.status,
  delivery.attempts,
  delivery.run,
  delivery.failures,
  delivery.updated_at.getTime(),
]

/** Returns the deliveries of an event as PostgreSQL had them. */
export function readDeliveries(
  environmentId: string,
  row: Pick<HistoryRow, 'id' | 'user_id' | 'sequence' | 'deliveries'>,
): StoredDelivery[] {
  if (row.deliveries === '') return []
  const kept: KeptDelivery[] = JSON.parse(row.deliveries)
  return kept.map(([endpointId, status, attempts, run, failures, updatedAtMs]) => ({
    environment_id: environmentId,
    event_id: row.id,
    endpoint_id: endpointId,
    sequence: row.sequence,
    user_id: personOrNull(row.user_id),
    status,
    attempts,
    run,
    failures,
    next_attempt_at: null,
    updated_at: new Date(updatedAtMs),
  }))
}

/** Returns an event as PostgreSQL had it. */
export function readEvent(
  environmentId: string,
  row: HistoryRow & { body: string },
): StoredEvent & { is_waiting: false } {
  return {
    environment_id: environmentId,
    ...readSummary(row),
    sequence: row.sequence,
    transaction_id: row.transaction_id,
    subject_ids: row.subject_ids.length === 0 ? null : [...row.subject_ids],
    ...packBody(Buffer.from(row.body)),
    only_endpoint_id: row.only_endpoint_id,
    except_endpoint_id: row.except_endpoint_id,
    trace_parent: row.trace_parent === '' ? null : row.trace_parent,
  }
}

/** Returns what lists show of an event. */
export function readSummary(
  row: Pick<HistoryRow, 'id' | 'event_type' | 'user_id' | 'created_at_ms' | 'unsent_reason'>,
) {
  return {
    id: row.id,
    event_type: row.event_type,
    user_id: personOrNull(row.user_id),
    created_at: new Date(row.created_at_ms),
    unsent_reason: row.unsent_reason === '' ? null : (row.unsent_reason as UnsentReason),
    is_waiting: false as const,
  }
}

/** A row of `webhook_attempt_history`. */
export interface AttemptHistoryRow {
  event_id: string
  endpoint_id: string
  user_id: string
  event_type: string
  number: number
  attempted_at_ms: number
  response_status: number | null
  error: string
  duration_ms: number
  response_body: string
}

/** Returns an attempt as PostgreSQL had it, with its position in lists. */
export function readAttempt(
  environmentId: string,
  row: AttemptHistoryRow,
): StoredAttempt & { position: string; user_id: string } {
  const attemptedAt = new Date(row.attempted_at_ms)
  return {
    environment_id: environmentId,
    event_id: row.event_id,
    endpoint_id: row.endpoint_id,
    user_id: row.user_id,
    event_type: row.event_type,
    number: row.number,
    attempted_at: attemptedAt,
    response_status: row.response_status,
    error: row.error === '' ? null : (row.error as AttemptError),
    duration_ms: row.duration_ms,
    response_body: row.response_body,
    position: attemptedAt.toISOString().replace('T', ' ').replace('Z', '+00'),
  }
}
