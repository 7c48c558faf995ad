import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { EventSummary } from '../webhooks/index.ts'
import { MISSING_REASONS, type MissingReason } from './reasons.registry.ts'

export const ExplanationQuery = Type.Object({
  user_id: Uuid,
  event_type: Type.String({ description: 'Exact type of the event that is missing.' }),
})
export type ExplanationQuery = Type.Static<typeof ExplanationQuery>

const Reason = Type.Object(
  {
    code: TextEnum(Object.keys(MISSING_REASONS) as MissingReason[]),
    explanation: Type.String({ description: 'Explanation of the code for people.' }),
    webhook_id: Nullable(Uuid),
    provider: Nullable(
      Type.String({ description: 'Slug of the provider that the reason is about.' }),
    ),
    order_id: Nullable(Uuid),
    at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Time since which the reason exists, or when it last occurred.',
      }),
    ),
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
      description: 'Reasons that prevent such an event or its delivery today.',
    }),
    events_since: Nullable(DateTime),
  },
  { title: 'EventExplanation' },
)
export type EventExplanation = Type.Static<typeof EventExplanation>
