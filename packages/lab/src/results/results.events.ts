import { defineEvent } from '@salus/contracts/event-type'
import { CriticalResultTaskEvent } from './critical-tasks/critical-tasks.schema.ts'
import { MatchReview } from './match-review/match-review.schema.ts'
import { CriticalResult, WithdrawnResults } from './results.schema.ts'

export const resultCritical = defineEvent({
  name: 'labtest.result.critical',
  data: CriticalResult,
  meaning:
    'A version of the results, partial or final, has a critical value that the previous version did not have.',
  isAboutUser: true,
  example: {
    order_id: 'a4b1c9d2-3e5f-4a7b-8c6d-9e0f1a2b3c4d',
    sample_id: 'S4711000123',
    status: 'partial',
    interpretation: 'critical',
    team_id: '6a1f2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b',
    user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    created_at: '2026-03-02T17:45:00+00:00',
    updated_at: '2026-03-02T17:45:00+00:00',
  },
})

export const resultWithdrawn = defineEvent({
  name: 'labtest.result.withdrawn',
  data: WithdrawnResults,
  meaning:
    'The laboratory took back results that it had reported for the wrong patient. The newest version of the results is without them.',
  isAboutUser: true,
  example: {
    order_id: 'a4b1c9d2-3e5f-4a7b-8c6d-9e0f1a2b3c4d',
    reason: 'wrong_patient',
    count: 1,
    withdrawn_at: '2026-03-03T09:30:00+00:00',
  },
})

const TASK = {
  id: '2c3d4e5f-6071-4829-8b9c-3d4e5f6a7b8c',
  order_id: 'a4b1c9d2-3e5f-4a7b-8c6d-9e0f1a2b3c4d',
  user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  team_id: '6a1f2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b',
  sample_id: 'S4711000123',
  result_version: 1,
  result_status: 'partial',
  status: 'requested',
  opened_at: '2026-03-02T17:45:00+00:00',
  updated_at: '2026-03-02T17:45:00+00:00',
  escalations: 0,
  escalated_at: null,
  received_at: null,
  acknowledged_at: null,
} satisfies CriticalResultTaskEvent

export const criticalTaskCreated = defineEvent({
  name: 'labtest.critical_result_task.created',
  data: CriticalResultTaskEvent,
  meaning: 'A critical result waits for an acknowledgement by the team.',
  isAboutUser: true,
  example: TASK,
})

export const criticalTaskUpdated = defineEvent({
  name: 'labtest.critical_result_task.updated',
  data: CriticalResultTaskEvent,
  meaning: 'A critical result was seen or acknowledged, or its version of the results was removed.',
  isAboutUser: true,
  example: {
    ...TASK,
    status: 'completed',
    updated_at: '2026-03-02T17:58:00+00:00',
    received_at: '2026-03-02T17:52:00+00:00',
    acknowledged_at: '2026-03-02T17:58:00+00:00',
  },
})

export const criticalTaskEscalated = defineEvent({
  name: 'labtest.critical_result_task.escalated',
  data: CriticalResultTaskEvent,
  meaning:
    'A critical result was not acknowledged in the time that the team set. The event is repeated after the same time, at most 24 times.',
  isAboutUser: true,
  example: {
    ...TASK,
    updated_at: '2026-03-02T18:45:00+00:00',
    escalations: 1,
    escalated_at: '2026-03-02T18:45:00+00:00',
  },
})

const REVIEW = {
  id: '9b2c3d4e-5f60-4718-8a9b-1c2d3e4f5a6b',
  status: 'pending_customer_review',
  decision_code: 'match_demo',
  sub_reason_codes: [],
  resolution_action: null,
  resolved_user_id: null,
  resolved_order_id: null,
} satisfies MatchReview

export const matchReviewCreated = defineEvent({
  name: 'labtest.match_review.created',
  data: MatchReview,
  meaning:
    'A result that could not be matched to an order with certainty waits for a decision of the team. The event names the user if known.',
  isAboutUser: false,
  example: REVIEW,
})

export const matchReviewUpdated = defineEvent({
  name: 'labtest.match_review.updated',
  data: MatchReview,
  meaning:
    'The status of the review of an unmatched result that the team can see changed. The event names the user if known.',
  isAboutUser: false,
  example: {
    ...REVIEW,
    status: 'resolved',
    resolution_action: 'accept',
    resolved_user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    resolved_order_id: 'a4b1c9d2-3e5f-4a7b-8c6d-9e0f1a2b3c4d',
  },
})

/** The events that this domain raises. */
export const RESULT_EVENTS = [
  resultCritical,
  resultWithdrawn,
  criticalTaskCreated,
  criticalTaskUpdated,
  criticalTaskEscalated,
  matchReviewCreated,
  matchReviewUpdated,
]
