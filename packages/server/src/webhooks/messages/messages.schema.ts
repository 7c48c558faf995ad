import { DateOrDateTime, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import { MOST_ROWS } from '@salus/kernel/http/row-results'
import Type from 'typebox'
import { PageQuery } from '../webhooks.schema.ts'

export const EVENT_STATUSES = [
  'waiting',
  'unsent',
  'pending',
  'delivered',
  'failed',
  'cancelled',
] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

const EventId = Type.String({ pattern: '^msg_[0-9A-HJKMNP-TV-Z]{26}$' })

export const OfEvent = Type.Object({ ...ENVIRONMENT_PARAMS, event_id: EventId })
export const OfDelivery = Type.Object({
  ...ENVIRONMENT_PARAMS,
  webhook_id: Uuid,
  event_id: EventId,
})

/** Events that are sent again. */
export const Resending = Type.Object(
  {
    event_ids: Type.Array(EventId, {
      minItems: 1,
      maxItems: MOST_ROWS,
      description: 'Ids of the events.',
    }),
  },
  { title: 'Resending', additionalProperties: false },
)

export const EventListQuery = Type.Object({
  ...PageQuery.properties,
  event_type: Type.Optional(
    Type.String({ description: 'Event type, exact or with a trailing *.' }),
  ),
  user_id: Type.Optional(Uuid),
  order_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Returns only events about this order, its appointments and results. A page may hold few events or none although the next page holds more; with user_id and since the search is fast.',
    }),
  ),
  webhook_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description:
        'Returns only events of which a message was created for this webhook; `status` then filters by the status of that message.',
    }),
  ),
  status: Type.Optional(
    TextEnum(EVENT_STATUSES, {
      description:
        'Returns only events of which a delivery has this status; `waiting` events are not dispatched yet, and `unsent` events had no endpoint.',
    }),
  ),
  since: Type.Optional(DateOrDateTime),
  until: Type.Optional(DateOrDateTime),
})
export type EventListQuery = Type.Static<typeof EventListQuery>

/** Filters of a saved view of the list. */
export const EventFilters = Type.Object(
  Type.Omit(EventListQuery, ['limit', 'next_cursor']).properties,
  { title: 'EventFilters', additionalProperties: false },
)

const Delivery = Type.Object(
  {
    webhook_id: Uuid,
    status: TextEnum(['pending', 'delivered', 'failed', 'cancelled']),
    attempts: Type.Integer(),
    next_attempt_at: Nullable(DateTime),
  },
  { title: 'WebhookDelivery' },
)

const eventFields = {
  id: EventId,
  event_type: Type.String(),
  user_id: Nullable(Uuid),
  created_at: DateTime,
  is_dispatched: Type.Boolean({ description: 'Whether the event was dispatched to endpoints.' }),
  unsent_reason: Nullable(
    Type.String({ description: 'Reason for which no endpoint received the event.' }),
  ),
  deliveries: Type.Array(Delivery),
}

export const EventSummary = Type.Object(eventFields, { title: 'EventSummary' })
export type EventSummary = Type.Static<typeof EventSummary>

export const EventList = Type.Object(
  { data: Type.Array(EventSummary), next_cursor: Nullable(Type.String()) },
  { title: 'EventList' },
)

export const EventDetail = Type.Object(
  {
    ...eventFields,
    unsent_explanation: Nullable(Type.String()),
    not_sent_to: Type.Array(
      Type.Object({
        webhook_id: Uuid,
        reason: TextEnum(['not_subscribed', 'disabled', 'created_later', 'left_out']),
      }),
      {
        description:
          'Current endpoints without a delivery, each with the reason by its current settings.',
      },
    ),
    payload: Type.Unknown({ description: 'Payload of the message as it is sent.' }),
  },
  { title: 'EventDetail' },
)
export type EventDetail = Type.Static<typeof EventDetail>

export const AttemptListQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(TextEnum(['succeeded', 'failed'])),
  event_type: Type.Optional(
    Type.String({ description: 'Event type, exact or with a trailing *.' }),
  ),
})
export type AttemptListQuery = Type.Static<typeof AttemptListQuery>

export const Attempt = Type.Object(
  {
    event_id: EventId,
    event_type: Type.String(),
    webhook_id: Uuid,
    number: Type.Integer(),
    timestamp: DateTime,
    status: TextEnum(['succeeded', 'failed']),
    response_status_code: Nullable(Type.Integer()),
    error: Nullable(
      TextEnum(['timeout', 'refused_address', 'dns', 'connection', 'tls', 'invalid_response'], {
        description: 'Reason for which there was no answer.',
      }),
    ),
    duration_ms: Type.Integer(),
    response_body: Type.String({ description: 'First 4 KiB of the body of the answer.' }),
  },
  { title: 'WebhookAttempt' },
)
export type Attempt = Type.Static<typeof Attempt>

export const AttemptList = Type.Object(
  { data: Type.Array(Attempt), next_cursor: Nullable(Type.String()) },
  { title: 'WebhookAttemptList' },
)

export const Recovery = Type.Object(
  { since: DateOrDateTime, until: Type.Optional(Nullable(DateOrDateTime)) },
  { title: 'WebhookRecovery' },
)
export type Recovery = Type.Static<typeof Recovery>

export const ExampleRequest = Type.Object({ event_type: Type.String() })
export const ExampleSent = Type.Object({ event_id: EventId })

export const EventTypeList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        name: Type.String(),
        meaning: Type.String(),
        is_about_user: Type.Boolean(),
        schema: Type.Unknown({ description: 'JSON Schema of `data`.' }),
        example: Type.Unknown(),
      }),
    ),
  },
  { title: 'EventTypeList' },
)
