import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { Scope } from '@salus/kernel/scope'
import { mayTransition, type OrderRow } from '../../orders/index.ts'
import type { MatchDecisionCode } from '../match-review/match-review.schema.ts'
import type { StoredResultMessage } from '../results.tables.ts'

/** Effect of a result message on its order. */
export type ResultPlan =
  /** It has no new data. */
  | { kind: 'ignored' }
  /** The order cannot receive it; a person must review it. */
  | { kind: 'held'; code: MatchDecisionCode }
  /** It is stored, and the order takes these statuses; none when only its data change. */
  | { kind: 'stored'; statuses: LowLevelStatus[] }

/** What a message changes in the shown results; `added` leaves final ones as they were. */
export type ShownEffect = 'none' | 'added' | 'changed'

/** Data that decides about the effect. */
export interface PlannedMessage {
  row: OrderRow
  /** The message as it was received. */
  message: Pick<ResultMessage, 'status' | 'specimen_number' | 'scope' | 'tests'>
  /** Status of the results with this message; that of the message by default. */
  status?: ResultMessage['status']
  /** What it changes in the shown results; everything by default. */
  effect?: ShownEffect
  /** The newest version of the order's results. */
  newest: Pick<StoredResultMessage, 'specimen_number'> | undefined
  /** Whether a redraw is to be ordered for missing results. */
  wantsRedraw: boolean
  /**
   * Whether a reviewer assigned it to the order, so that any legal path of statuses may be taken.
   */
  isReviewed?: boolean
}

const HAS_RESULTS = new Set<LowLevelStatus>(['completed', 'corrected', 'redraw_available'])
const CANCELLED = new Set<LowLevelStatus>(['cancelled', 'do_not_process'])
const WITH_LAB = new Set<LowLevelStatus>(['delivered_to_lab', 'lab_processing_blocked'])

/** Statuses that a result implies, even without an update about them. */
const PROVEN_BY_RESULT: readonly LowLevelStatus[] = ['delivered_to_lab']
/** Statuses that may precede a result that a reviewer assigned. */
const VOUCHED_FOR: readonly LowLevelStatus[] = [
  ...PROVEN_BY_RESULT,
  'requisition_created',
  'with_customer',
  'draw_completed',
  'appointment_pending',
  'appointment_scheduled',
]

/**
 * Decides the effect of a result message on its order (docs/contract/12-order-lifecycle.md and
 * docs/contract/13-results.md). An order with results accepts corrections: a second final message
 * for the same specimen is one. An order whose result an undo removed counts as one without
 * results.
 */
export async function planResultMessage(
  scope: Scope,
  planned: PlannedMessage,
): Promise<ResultPlan> {
  const { row, message, status = message.status, effect = 'changed' } = planned
  if (CANCELLED.has(row.last_status)) return { kind: 'held', code: 'match_cancelled' }
  if (HAS_RESULTS.has(row.last_status)) return planAfterResults(scope, planned)
  if (effect === 'none') return { kind: 'stored', statuses: [] }
  const isPartial = status === 'partial'
  const statuses = isPartial ? await planPartial(scope, planned) : await planFinal(scope, planned)
  return statuses === undefined
    ? { kind: 'held', code: 'wrong_collection' }
    : { kind: 'stored', statuses }
}

/** Plans a message for an order that has final results, or had them before an undo. */
async function planAfterResults(scope: Scope, planned: PlannedMessage): Promise<ResultPlan> {
  const { row, message, newest, effect = 'changed' } = planned
  const isOfTests = message.scope === 'part' || message.tests !== undefined
  if (message.status === 'partial' && !isOfTests) {
    return newest === undefined ? { kind: 'stored', statuses: [] } : { kind: 'ignored' }
  }
  if (!isOfTests && !isCorrection(planned)) return { kind: 'held', code: 'match_completed' }
  if (effect === 'none' || (effect === 'added' && isOfTests)) {
    return { kind: 'stored', statuses: [] }
  }
  const mayBeCorrected = await mayTransition(scope, row, 'corrected')
  if (!mayBeCorrected) return { kind: 'held', code: 'match_completed' }
  return { kind: 'stored', statuses: ['corrected'] }
}

/**
 * Returns whether a final message for a completed order concerns the reported specimen: another
 * specimen number under one requisition is another specimen. When a reviewer assigned the message,
 * it is a correction only if the laboratory marks it as one.
 */
function isCorrection({ message, newest, isReviewed }: PlannedMessage): boolean {
  if (newest === undefined || message.status === 'corrected') return true
  const [one, other] = [message.specimen_number, newest.specimen_number]
  return !isReviewed && (one === null || other === null || one === other)
}

/**
 * Plans a partial message. Kits have no status for partial results: only the data of the order
 * change.
 */
async function planPartial(
  scope: Scope,
  { row, isReviewed }: PlannedMessage,
): Promise<LowLevelStatus[] | undefined> {
  if (row.method !== 'testkit') return findWay(scope, row, 'partial_results', isReviewed)
  if (WITH_LAB.has(row.last_status)) return []
  return findWay(scope, row, 'delivered_to_lab', isReviewed)
}

async function planFinal(
  scope: Scope,
  { row, wantsRedraw, isReviewed }: PlannedMessage,
): Promise<LowLevelStatus[] | undefined> {
  const redraw = wantsRedraw ? await findWay(scope, row, 'redraw_available', isReviewed) : undefined
  return redraw ?? findWay(scope, row, 'completed', isReviewed)
}

/**
 * Returns the shortest legal path to a status through those that may be passed; undefined when
 * there is none.
 */
async function findWay(
  scope: Scope,
  row: OrderRow,
  to: LowLevelStatus,
  isReviewed = false,
): Promise<LowLevelStatus[] | undefined> {
  const passable = isReviewed ? VOUCHED_FOR : PROVEN_BY_RESULT
  const waiting: { at: OrderRow; way: LowLevelStatus[] }[] = [{ at: row, way: [] }]
  const seen = new Set<LowLevelStatus>([row.last_status])
  for (const { at, way } of waiting) {
    if (await mayTransition(scope, at, to)) return [...way, to]
    for (const next of passable) {
      if (seen.has(next) || !(await mayTransition(scope, at, next))) continue
      seen.add(next)
      waiting.push({ at: { ...at, last_status: next }, way: [...way, next] })
    }
  }
  return undefined
}
