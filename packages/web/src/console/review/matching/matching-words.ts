import type { components } from '../../api/openapi.generated.d.ts'
import type { Tone } from '../../components/status-badge.tsx'

export type HeldResult = components['schemas']['UnmatchedResult']
export type Candidate = components['schemas']['MatchReviewCandidate']
type TestCase = components['schemas']['UnmatchedResultTestCase']['case']

/** Why a result is held, in a few words (docs/contract/13-results.md#states-of-a-review). */
export const DECISION: Record<HeldResult['decision_code'], string> = {
  match_sample_id: 'Sample and person fit, the account does not',
  match_completed: 'The order has its result already',
  match_cancelled: 'The order was cancelled',
  wrong_collection: 'The order cannot take results yet',
  wrong_lab: 'The order is at another laboratory',
  multiple_demo_match: 'Several people fit',
  match_sample_id_mismatch_demo: 'The sample is of somebody else',
  match_demo: 'One person fits, the sample is unknown',
  no_match: 'Nothing fits',
}

export const STATUS: Record<HeldResult['status'], { label: string; tone: Tone }> = {
  matched: { label: 'Matched by itself', tone: 'good' },
  pending_customer_review: { label: 'To decide', tone: 'warning' },
  pending_ops_review: { label: 'With the operator', tone: 'info' },
  resolved: { label: 'Decided', tone: 'good' },
}

export const ACTION: Record<NonNullable<HeldResult['resolution_action']>, string> = {
  accept: 'Accepted',
  reject: 'Rejected',
  unsure: 'Passed on to the operator',
}

export const CONFIDENCE: Record<Candidate['confidence_level'], { label: string; tone: Tone }> = {
  high: { label: 'Likely', tone: 'good' },
  medium: { label: 'Possible', tone: 'warning' },
  low: { label: 'Unlikely', tone: 'neutral' },
}

/** What speaks for a candidate, or against it. */
export const REASON: Record<Candidate['reasons'][number], string> = {
  sample_id_match: 'It is the order of the sample.',
  lab_account_mismatch: 'The account at the laboratory is another one.',
  matched_completed_order: 'The order has its result already.',
  matched_cancelled_order: 'The order was cancelled.',
  invalid_collection_state: 'Results cannot come in this state of the order.',
  demographic_mismatch: 'Name, birth date or sex differ.',
  demographic_match: 'Name, birth date and sex fit.',
  possible_wrong_lab: 'The order is at another laboratory.',
  same_lab: 'The order is at this laboratory.',
  same_user: 'Another order of the same person.',
  marker_overlap_exact: 'It asks for just what is reported.',
  marker_overlap_partial: 'It asks for a part of what is reported.',
  marker_overlap_none: 'It asks for nothing of what is reported.',
}

/** What happens when a case is tried out. */
export const TEST_CASE: Record<TestCase, string> = {
  match_demo: 'The sample is unknown, and one person fits',
  multiple_demo_match: 'The sample is unknown, and two people fit',
  match_sample_id_mismatch_demo: 'The sample is known, but another person is named',
  match_completed: 'A second result comes for a completed order',
  match_cancelled: 'A result comes for a cancelled order',
  wrong_lab: 'Another laboratory reports for a person with an open order',
  wrong_collection: 'A result comes before the visit took place',
  no_match: 'Neither sample nor person is known',
}
