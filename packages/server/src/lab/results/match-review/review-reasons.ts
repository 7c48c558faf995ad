import type { MatchDecisionCode, MatchSubReasonCode } from './match-review.schema.ts'

/** What reviewers read of a decision; never anything about a person. */
const REASONS: Record<MatchDecisionCode, string> = {
  match_sample_id: 'The sample is that of an order, but something else of the report does not fit.',
  match_completed: 'The order that fits is completed already.',
  match_cancelled: 'The order that fits was cancelled.',
  wrong_collection: 'The order that fits is not in a state in which results can come.',
  wrong_lab: 'The patient fits, but the open order is at another laboratory.',
  multiple_demo_match: 'Several patients fit.',
  match_sample_id_mismatch_demo: 'The sample is that of an order, but the patient is another one.',
  match_demo: 'The patient fits, but it is not clear which order is meant.',
  no_match: 'No order fits.',
}

const SUB_REASONS: Record<MatchSubReasonCode, string> = {
  lab_account_mismatch: 'The report is of another account at the laboratory than the order.',
}

export function reasonText(
  code: MatchDecisionCode,
  subReasons: readonly MatchSubReasonCode[],
): string {
  return [REASONS[code], ...subReasons.map((sub) => SUB_REASONS[sub])].join(' ')
}
