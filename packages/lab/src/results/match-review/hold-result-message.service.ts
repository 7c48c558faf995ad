import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { newId } from '@salus/kernel/ids'
import { parseDate } from '@salus/kernel/time/instants'
import { evaluateResultMessage } from '../evaluation/evaluate-result-message.ts'
import type { MatchDecision } from '../matching/candidate-order.ts'
import type { ResultSource, ResultTransaction } from '../results.scope.ts'
import { openDocuments, writeDocuments } from '../storing/result-documents.ts'
import { decodePdf, writeResultFile } from '../storing/result-files.ts'
import { withoutPdf } from '../storing/store-result-message.service.ts'
import { ownerOfHeld } from './held-message.ts'
import type { MatchDecisionCode, MatchSubReasonCode } from './match-review.schema.ts'
import { isShownToTeam, publishReview } from './publish-review.ts'
import * as repository from './unmatched-results.repository.ts'

/** A result message that a person has to review. */
export interface HeldMessage {
  message: ResultMessage
  labId: number
  decision: MatchDecision
  /** The order that the laboratory names by our id, if any. */
  namedOrderId: string | null
  /** The person to whom the result probably belongs, for the event. */
  likelyUserId: string | null
}

/**
 * Holds a result message for review in the caller's transaction: by the team if it has a queue, or
 * else by the operators. A message that is already held is not held again.
 */
export async function holdResultMessage(
  tx: ResultTransaction,
  { message, labId, decision, namedOrderId, likelyUserId }: HeldMessage,
  source: ResultSource,
): Promise<void> {
  const { environment, log } = tx
  const content = withoutPdf(message)
  const hash = content.content_hash
  const known = await repository.findSameMessage(tx, labId, hash)
  if (known !== undefined) return
  const owner = ownerOfHeld(environment.id)
  // Reviews of one message in other laboratories share no file.
  const documents = openDocuments({ ...message, pdf: null }, owner, hash)
  const described = documents.map(({ stored }) => stored)
  const { first_name: firstName, last_name: lastName, dob } = message.patient
  const row = await repository.insertUnmatched(tx, {
    id: newId(),
    lab_message_id: source.messageId,
    lab_id: labId,
    status: environment.settings.match_review_enabled
      ? 'pending_customer_review'
      : 'pending_ops_review',
    decision_code: decision.code,
    sub_reason_codes: decision.subReasons,
    reason: reasonText(decision.code, decision.subReasons),
    report: JSON.stringify({
      ...content,
      ...(message.pdf_head && { pdf_head: message.pdf_head }),
      ...(described.length > 0 && { documents: described }),
      named_order_id: namedOrderId,
    }),
    document_files: await writeDocuments(tx.files, owner, documents),
    pdf_file: await storePdf(tx, message, hash),
    interpretation: evaluateResultMessage(content, [], '').interpretation,
    patient_name: [firstName, lastName]
      .filter((name) => name)
      .join(' ')
      .toLowerCase(),
    patient_dob: parseDate(dob ?? '') ?? null,
    note: null,
    resolution_action: null,
    resolved_user_id: null,
    resolved_order_id: null,
    resolution: null,
    created_at: source.at,
    updated_at: source.at,
    reviewed_at: null,
  })
  if (isShownToTeam(row)) await publishReview(tx, row, 'created', likelyUserId)
  log.warn(
    { unmatchedResultId: row.id, decisionCode: row.decision_code },
    'a result was held for review',
  )
}

/**
 * Names the file by its content, so that a message that is processed again overwrites its own file.
 */
async function storePdf(
  { files, environment }: ResultTransaction,
  message: ResultMessage,
  contentHash: string,
): Promise<string | null> {
  const pdf = decodePdf(message.pdf)
  if (pdf === null) return null
  const name = `held.${environment.id}.${contentHash}.pdf`
  await writeResultFile(files, name, pdf)
  return name
}

/** Explanations of decisions for reviewers, without personal data. */
const REASONS: Record<MatchDecisionCode, string> = {
  match_sample_id: 'The sample belongs to an order, but other data of the result do not match it.',
  match_completed: 'The matching order is already completed.',
  match_cancelled: 'The matching order was cancelled.',
  wrong_collection: 'The matching order is not in a state in which it can receive results.',
  wrong_lab: 'The patient matches, but the open order is at another laboratory.',
  multiple_demo_match: 'Several patients match.',
  match_sample_id_mismatch_demo:
    'The sample belongs to an order, but the patient of the result differs or is not certain.',
  match_demo: 'The patient matches, but the order is not certain.',
  no_match: 'No order matches.',
}

const SUB_REASONS: Record<MatchSubReasonCode, string> = {
  lab_account_mismatch: 'The result has another account at the laboratory than the order.',
}

export function reasonText(
  code: MatchDecisionCode,
  subReasons: readonly MatchSubReasonCode[],
): string {
  return [REASONS[code], ...subReasons.map((sub) => SUB_REASONS[sub])].join(' ')
}
