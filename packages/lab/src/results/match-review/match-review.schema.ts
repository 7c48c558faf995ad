import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import { LOW_LEVEL_STATUSES } from '@salus/contracts/order-lifecycle'
import { DateOnly, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { RESULT_STATUSES } from '../results.schema.ts'

/**
 * Results that could not be matched to an order with certainty, as the review queue shows them
 * (docs/contract/13-results.md#unmatched-results).
 */

export const MATCH_REVIEW_STATUSES = [
  'matched',
  'pending_customer_review',
  'pending_ops_review',
  'resolved',
] as const
export type MatchReviewStatus = (typeof MATCH_REVIEW_STATUSES)[number]

export const MATCH_REVIEW_STATUS_FILTERS = [
  'pending_customer_review',
  'pending_ops_review',
  'resolved',
] as const

export const MATCH_DECISION_CODES = [
  'match_sample_id',
  'match_completed',
  'match_cancelled',
  'wrong_collection',
  'wrong_lab',
  'multiple_demo_match',
  'match_sample_id_mismatch_demo',
  'match_demo',
  'no_match',
] as const
export type MatchDecisionCode = (typeof MATCH_DECISION_CODES)[number]

export const MATCH_SUB_REASON_CODES = ['lab_account_mismatch'] as const
export type MatchSubReasonCode = (typeof MATCH_SUB_REASON_CODES)[number]

export const RESOLUTION_ACTIONS = ['accept', 'reject', 'unsure'] as const
export type MatchReviewResolutionAction = (typeof RESOLUTION_ACTIONS)[number]

export const CANDIDATE_TYPES = ['provenance_order', 'order_option'] as const
export const CONFIDENCE_LEVELS = ['high', 'medium', 'low'] as const
export const CANDIDATE_REASONS = [
  'sample_id_match',
  'lab_account_mismatch',
  'matched_completed_order',
  'matched_cancelled_order',
  'invalid_collection_state',
  'demographic_mismatch',
  'demographic_match',
  'possible_wrong_lab',
  'same_lab',
  'same_user',
  'marker_overlap_exact',
  'marker_overlap_partial',
  'marker_overlap_none',
] as const
export type CandidateReason = (typeof CANDIDATE_REASONS)[number]

const NullableText = Nullable(Type.String())

export const MatchReviewCandidate = Type.Object(
  {
    candidate_type: TextEnum(CANDIDATE_TYPES, {
      description:
        'Kind of the candidate. `provenance_order`: the order of the sample; `order_option`: another order that may be meant.',
    }),
    order_id: Nullable(Uuid),
    order_transaction_id: Nullable(Uuid),
    last_status: Nullable(TextEnum(LOW_LEVEL_STATUSES)),
    confidence_level: TextEnum(CONFIDENCE_LEVELS),
    confidence_score: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    reasons: Type.Array(TextEnum(CANDIDATE_REASONS)),
    marker_overlap: Nullable(
      Type.Object({
        reported: Type.Integer({ description: 'Number of results in the result message.' }),
        ordered: Type.Integer({ description: 'Number of results that the order expects.' }),
        shared: Type.Integer({ description: 'Number of results in both.' }),
      }),
    ),
    status_context: Nullable(
      Type.Object({
        last_status_at: DateTime,
        can_receive_results: Type.Boolean({
          description:
            'Whether the order can receive the results; otherwise accepting creates another order for them.',
        }),
      }),
    ),
  },
  { title: 'MatchReviewCandidate' },
)
export type MatchReviewCandidate = Type.Static<typeof MatchReviewCandidate>

export const MatchReviewCandidateGroup = Type.Object(
  { user_id: Nullable(Uuid), candidates: Type.Array(MatchReviewCandidate) },
  { title: 'MatchReviewCandidateGroup' },
)
export type MatchReviewCandidateGroup = Type.Static<typeof MatchReviewCandidateGroup>

export const UnmatchedResult = Type.Object(
  {
    id: Uuid,
    status: TextEnum(MATCH_REVIEW_STATUSES),
    decision_code: TextEnum(MATCH_DECISION_CODES),
    sub_reason_codes: Type.Array(TextEnum(MATCH_SUB_REASON_CODES)),
    reason: Type.String({ description: 'Explanation why the result was held.' }),
    patient: Nullable(
      Type.Object(
        {
          first_name: NullableText,
          last_name: NullableText,
          dob: Nullable(DateTime),
          gender: NullableText,
        },
        { title: 'MatchReviewPatient' },
      ),
    ),
    lab: Type.Object(
      { id: Type.Integer(), name: Type.String(), slug: Type.String() },
      { title: 'MatchReviewLab' },
    ),
    markers: Type.Array(
      Type.Object(
        { provider_id: NullableText, name: NullableText },
        { title: 'MatchReviewMarker' },
      ),
    ),
    sample_id: Nullable(
      Type.String({ description: 'Sample id by which the laboratory knows the order.' }),
    ),
    specimen_number: Nullable(Type.String({ description: 'Accession number of the laboratory.' })),
    collected_at: Nullable(DateTime),
    interpretation: Nullable(TextEnum(INTERPRETATIONS)),
    result_status: Nullable(TextEnum(RESULT_STATUSES)),
    note: NullableText,
    resolution_action: Nullable(TextEnum(RESOLUTION_ACTIONS)),
    resolved_user_id: Nullable(Uuid),
    resolved_order_id: Nullable(Uuid),
    allowed_actions: Type.Array(TextEnum(RESOLUTION_ACTIONS)),
    candidate_groups: Type.Array(MatchReviewCandidateGroup),
    created_at: DateTime,
    updated_at: DateTime,
    reviewed_at: Nullable(DateTime),
  },
  { title: 'UnmatchedResult' },
)
export type UnmatchedResult = Type.Static<typeof UnmatchedResult>

export const UnmatchedResultQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  next_cursor: Type.Optional(Type.String()),
  decision_code: Type.Optional(TextEnum(MATCH_DECISION_CODES)),
  lab_slug: Type.Optional(Type.String()),
  status: Type.Optional(
    TextEnum(MATCH_REVIEW_STATUS_FILTERS, {
      description:
        'Filters by status. By default, returns results that wait for the team and those that it passed to the operators.',
    }),
  ),
  created_at_start: Type.Optional(DateOnly),
  created_at_end: Type.Optional(DateOnly),
  search_input: Type.Optional(
    Type.String({
      description:
        'Filters by the first name, last name or birth date (YYYY-MM-DD) of the patient.',
    }),
  ),
})
export type UnmatchedResultQuery = Type.Static<typeof UnmatchedResultQuery>

export const OperatorUnmatchedQuery = Type.Object({
  ...pageQuery(100),
})
export type OperatorUnmatchedQuery = Type.Static<typeof OperatorUnmatchedQuery>

export const UnmatchedResultList = Type.Object(
  {
    data: Type.Array(UnmatchedResult),
    next_cursor: NullableText,
    total: Type.Integer(),
  },
  { title: 'UnmatchedResultList' },
)

const Note = Type.Optional(Nullable(Type.String({ maxLength: 2000 })))

export const AcceptUnmatchedResult = Type.Object(
  {
    user_id: Type.Optional(Nullable(Uuid)),
    order_id: Type.Optional(Nullable(Uuid)),
    note: Note,
  },
  { title: 'AcceptUnmatchedResult' },
)
export type AcceptUnmatchedResult = Type.Static<typeof AcceptUnmatchedResult>

export const ResolveUnmatchedResult = Type.Object(
  { action: TextEnum(['reject', 'unsure']), note: Note },
  { title: 'ResolveUnmatchedResult' },
)
export type ResolveUnmatchedResult = Type.Static<typeof ResolveUnmatchedResult>

/** Payload of the events of a review (docs/contract/17-lab-events.md#matchreview). */
export const MatchReview = Type.Object(
  {
    id: Uuid,
    status: TextEnum(MATCH_REVIEW_STATUSES),
    decision_code: TextEnum(MATCH_DECISION_CODES),
    sub_reason_codes: Type.Array(TextEnum(MATCH_SUB_REASON_CODES)),
    resolution_action: Nullable(TextEnum(RESOLUTION_ACTIONS)),
    resolved_user_id: Nullable(Uuid),
    resolved_order_id: Nullable(Uuid),
  },
  { title: 'MatchReview' },
)
export type MatchReview = Type.Static<typeof MatchReview>
