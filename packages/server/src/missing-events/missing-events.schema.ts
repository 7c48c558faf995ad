import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { EventSummary } from '../webhooks/index.ts'
import { MISSING_REASONS, type MissingReason } from './reasons.registry.ts'

export const ExplanationQuery = Type.Object({
  user_id: Uuid,
  event_type: Type.String({ description: 'The type that did not come, exactly.' }),
})
export type ExplanationQuery = Type.Static<typeof ExplanationQuery>

const Reason = Type.Object(
  {
    code: TextEnum(Object.keys(MISSING_REASONS) as MissingReason[]),
    explanation: Type.String({ description: 'The code in plain words.' }),
    webhook_id: Nullable(Uuid),
    provider: Nullable(Type.String({ description: 'Slug of the provider that it is about.' })),
    order_id: Nullable(Uuid),
    at: Nullable(Type.String({ format: 'date-time', description: 'Since when, or when last.' })),
  },
  { title: 'MissingEventReason' },
)
export type Reason = Type.Static<typeof Reason>

export const EventExplanation = Type.Object(
  {
    user_id: Uuid,
    event_type: Type.String(),
    last_event: Nullable(EventSummary),
    reasons: Type.Array(Reason, {
      description: 'What stands in the way of such an event today, or of its delivery.',
    }),
    events_since: Nullable(DateTime),
  },
  { title: 'EventExplanation' },
)
export type EventExplanation = Type.Static<typeof EventExplanation>
