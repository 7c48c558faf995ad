import type { components } from '../../api/openapi.generated.d.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type HeldResult = components['schemas']['UnmatchedResult']
export type Candidate = components['schemas']['MatchReviewCandidate']
type TestCase = components['schemas']['UnmatchedResultTestCase']['case']

/**
 * Labels of the reasons for which a result is held
 * (docs/contract/13-results.md#states-of-a-review).
 */
export const DECISION: Record<HeldResult['decision_code'], string> = {
  match_sample_id: 'Sample and person match, but not the account',
  match_completed: 'The order already has a result',
  match_cancelled: 'The order was cancelled',
  wrong_collection: 'The order cannot take results yet',
  wrong_lab: 'The order is at another laboratory',
  multiple_demo_match: 'Several people match',
  match_sample_id_mismatch_demo: 'The sample belongs to another person',
  match_demo: 'One person matches, the sample is unknown',
  no_match: 'Neither sample nor person matches',
}

export const STATUS: Record<HeldResult['status'], { label: string; tone: Tone }> = {
  matched: { label: 'Matched automatically', tone: 'good' },
  pending_customer_review: { label: 'To decide', tone: 'warning' },
  pending_ops_review: { label: 'With the operator', tone: 'info' },
  resolved: { label: 'Decided', tone: 'good' },
}

export const ACTION: Record<NonNullable<HeldResult['resolution_action']>, string> = {
  accept: 'Accepted',
  reject: 'Rejected',
  unsure: 'Passed to operator',
}

export const CONFIDENCE: Record<Candidate['confidence_level'], { label: string; tone: Tone }> = {
  high: { label: 'Likely', tone: 'good' },
  medium: { label: 'Possible', tone: 'warning' },
  low: { label: 'Unlikely', tone: 'neutral' },
}

/** Reasons for and against a candidate. */
export const REASON: Record<Candidate['reasons'][number], string> = {
  sample_id_match: 'The sample belongs to this order.',
  lab_account_mismatch: 'The order has another laboratory account.',
  matched_completed_order: 'The order already has a result.',
  matched_cancelled_order: 'The order was cancelled.',
  invalid_collection_state: 'The order cannot take results in its status.',
  demographic_mismatch: 'Name, birth date or sex differ.',
  demographic_match: 'Name, birth date and sex match.',
  possible_wrong_lab: 'The order is at another laboratory.',
  same_lab: 'The order is at this laboratory.',
  same_user: 'The person has another order that matches better.',
  marker_overlap_exact: 'The ordered tests are exactly the reported ones.',
  marker_overlap_partial: 'Some of the reported tests were ordered.',
  marker_overlap_none: 'None of the reported tests was ordered.',
}

/** Labels of the cases that can be simulated. */
export const TEST_CASE: Record<TestCase, string> = {
  match_demo: 'The sample is unknown, and one person matches',
  multiple_demo_match: 'The sample is unknown, and two people match',
  match_sample_id_mismatch_demo: 'The sample is known, but another person is named',
  match_completed: 'A second result is reported for a completed order',
  match_cancelled: 'A result is reported for a cancelled order',
  wrong_lab: 'Another laboratory reports for a person with an open order',
  wrong_collection: 'A result is reported before the visit took place',
  no_match: 'Neither sample nor person is known',
}
