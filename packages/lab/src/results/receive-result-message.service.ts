import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { TransactionScope } from '@salus/kernel/scope'
import { findLab } from '../catalog/index.ts'
import { findOrder, type OrderRow } from '../orders/index.ts'
import { readHeldMessage } from './match-review/held-message.ts'
import { holdResultMessage } from './match-review/hold-result-message.service.ts'
import { isShownToTeam, publishReview } from './match-review/publish-review.ts'
import * as repository from './match-review/unmatched-results.repository.ts'
import { matchResultMessage } from './matching/match-result-message.service.ts'
import type { ResultSource, ResultTransaction } from './results.scope.ts'
import { storeResultMessage } from './storing/store-result-message.service.ts'

/** A result message from a laboratory message. */
export interface ReceivedMessage extends ResultSource {
  message: ResultMessage
  labSlug: string
  /** The order that the laboratory names by our id, if any. */
  orderId?: string | undefined
}

/** Outcome of a result message; `orderId` is the order in which it was stored. */
export interface ReceptionOutcome {
  state: 'processed' | 'held'
  orderId: string | null
}

/**
 * Receives a result message: finds its order and stores it there, or holds it for review when the
 * match is not certain. No message is dropped. Call it in `inResultTransaction`, which deletes the
 * files when the transaction fails.
 * @throws Error when the laboratory is not in the catalog
 */
export async function receiveResultMessage(
  tx: ResultTransaction,
  { message, labSlug, orderId, messageId, at }: ReceivedMessage,
): Promise<ReceptionOutcome> {
  const source = { messageId, at }
  const match = await matchResultMessage(tx, message, labSlug, orderId)
  if (match.kind === 'matched') {
    return storeMatchedMessage(tx, match.order, message, { ...source, orderId })
  }
  const users = new Set(match.orders.map(({ row }) => row.user_id))
  const [only = null] = users.size === 1 ? users : []
  const about = { namedOrderId: orderId ?? null, likelyUserId: only }
  const held = { message, labId: match.lab.id, decision: match.decision, ...about }
  await holdResultMessage(tx, held, source)
  return { state: 'held', orderId: null }
}

/**
 * Stores a result message in its order, in the caller's transaction, and closes reviews of the same
 * sample. It is held when the order cannot receive it now.
 */
export async function storeMatchedMessage(
  tx: ResultTransaction,
  order: OrderRow,
  message: ResultMessage,
  { orderId, ...source }: ResultSource & Pick<ReceivedMessage, 'orderId'>,
): Promise<ReceptionOutcome> {
  const outcome = await storeResultMessage(tx, order.id, message, source)
  if (outcome.kind === 'held') {
    const decision = { code: outcome.code, subReasons: [] }
    const about = { namedOrderId: orderId ?? null, likelyUserId: order.user_id }
    const held = { message, labId: order.lab_id, decision, ...about }
    await holdResultMessage(tx, held, source)
    return { state: 'held', orderId: null }
  }
  if (outcome.kind === 'stored') {
    await closeReviewsOfSample(tx, outcome.row, message, source.at)
  }
  return { state: 'processed', orderId: order.id }
}

/**
 * Matches the held results of an order again, after the order got its sample id or its laboratory
 * accepted it.
 * @returns true when a held result was stored in the order
 */
export async function rematchHeldResults(
  tx: ResultTransaction,
  orderId: string,
  at: Date,
): Promise<boolean> {
  const order = await findOrder(tx, orderId)
  const open = order === undefined ? [] : await repository.listOpenOfOrder(tx, order)
  // Nearly always.
  if (order === undefined || open.length === 0) return false
  const lab = await findLab(tx.db, order.lab_id)
  if (lab === undefined) return false
  let isStored = false
  for (const row of open) {
    const message = await readHeldMessage(tx.files, row)
    const named = row.report.named_order_id ?? undefined
    const match = await matchResultMessage(tx, message, lab.slug, named)
    if (match.kind !== 'matched' || match.order.id !== order.id) continue
    const source = { messageId: row.lab_message_id, at, orderId: named }
    const outcome = await storeMatchedMessage(tx, match.order, message, source)
    if (outcome.state !== 'processed') continue
    isStored = true
    // One that names the order by another number than the sample's is closed alone.
    if (message.sample_id !== order.sample_id) await closeReview(tx, row, order, at)
  }
  return isStored
}

/**
 * Closes the reviews of a sample whose result has just been stored, because the laboratory's later
 * data gave a certain match. Results of another specimen of the same requisition stay.
 */
async function closeReviewsOfSample(
  tx: TransactionScope,
  order: OrderRow,
  message: ResultMessage,
  at: Date,
): Promise<void> {
  const sampleId = message.sample_id ?? order.sample_id
  if (sampleId === null) return
  const open = await repository.lockOpenOfSample(tx, order.lab_id, sampleId)
  for (const row of open.filter((each) => isOfSpecimen(each, message))) {
    await closeReview(tx, row, order, at)
  }
}

async function closeReview(
  tx: TransactionScope,
  row: repository.UnmatchedRow,
  order: OrderRow,
  at: Date,
): Promise<void> {
  const closed = await repository.updateUnmatched(tx, row.id, {
    status: 'matched',
    resolved_user_id: order.user_id,
    resolved_order_id: order.id,
    resolution: JSON.stringify({ was_shown: isShownToTeam(row) }),
    updated_at: at,
    reviewed_at: at,
  })
  if (isShownToTeam(closed)) await publishReview(tx, closed, 'updated')
}

function isOfSpecimen({ report: held }: repository.UnmatchedRow, message: ResultMessage): boolean {
  const [one, other] = [held.specimen_number, message.specimen_number]
  return one === null || other === null || one === other
}
