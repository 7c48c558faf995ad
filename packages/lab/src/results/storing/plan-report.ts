import type { LabReport } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { Scope } from '@salus/kernel/scope'
import { mayTransition, type OrderRow } from '../../orders/index.ts'
import type { MatchDecisionCode } from '../match-review/match-review.schema.ts'
import type { StoredReport } from '../results.tables.ts'

/** What a report does to its order. */
export type ReportPlan =
  /** It tells nothing that counts any more. */
  | { kind: 'ignored' }
  /** The order may not take it; people must look. */
  | { kind: 'held'; code: MatchDecisionCode }
  /** It is stored, and the order goes through these statuses; none, where only its data change. */
  | { kind: 'stored'; statuses: LowLevelStatus[] }

/** What of a report and its order decides. */
export interface PlannedReport {
  row: OrderRow
  report: Pick<LabReport, 'status' | 'specimen_number'>
  /** The newest version that the order has. */
  newest: Pick<StoredReport, 'specimen_number'> | undefined
  /** Another sample shall be given for what is missing. */
  wantsRedraw: boolean
  /**
   * A person has said that it belongs to the order, so whatever legal way there is will be gone.
   */
  isReviewed?: boolean
}

const HAS_RESULTS = new Set<LowLevelStatus>(['completed', 'corrected', 'redraw_available'])
const CANCELLED = new Set<LowLevelStatus>(['cancelled', 'do_not_process'])
const WITH_LAB = new Set<LowLevelStatus>(['delivered_to_lab', 'lab_processing_blocked'])

/** Statuses that a result proves to have been passed, though nobody told. */
const PROVEN_BY_RESULT: readonly LowLevelStatus[] = ['delivered_to_lab']
/** Statuses that lead to a result where a person vouches for it. */
const VOUCHED_FOR: readonly LowLevelStatus[] = [
  ...PROVEN_BY_RESULT,
  'requisition_created',
  'with_customer',
  'draw_completed',
  'appointment_pending',
  'appointment_scheduled',
]

/**
 * Decides what a report does to its order (docs/contract/12-order-lifecycle.md and
 * docs/contract/13-results.md). An order that has results takes corrections: a second final report
 * of the same specimen is one. One that lost its result to an undo counts as having none.
 */
export async function planReport(scope: Scope, planned: PlannedReport): Promise<ReportPlan> {
  const { row, report, newest } = planned
  const isPartial = report.status === 'partial'
  if (CANCELLED.has(row.last_status)) return { kind: 'held', code: 'match_cancelled' }
  if (HAS_RESULTS.has(row.last_status)) {
    if (isPartial)
      return newest === undefined ? { kind: 'stored', statuses: [] } : { kind: 'ignored' }
    const mayBeCorrected = isCorrection(planned) && (await mayTransition(scope, row, 'corrected'))
    if (!mayBeCorrected) return { kind: 'held', code: 'match_completed' }
    return { kind: 'stored', statuses: ['corrected'] }
  }
  const statuses = isPartial ? await planPartial(scope, planned) : await planFinal(scope, planned)
  return statuses === undefined
    ? { kind: 'held', code: 'wrong_collection' }
    : { kind: 'stored', statuses }
}

/**
 * Whether a final report of a completed order is about the specimen that was reported: laboratories
 * number specimens, and another number under one requisition is another specimen. Where a person
 * had to say to which order it belongs, it is a correction only if the laboratory calls it one.
 */
function isCorrection({ report, newest, isReviewed }: PlannedReport): boolean {
  if (newest === undefined || report.status === 'corrected') return true
  const [one, other] = [report.specimen_number, newest.specimen_number]
  return !isReviewed && (one === null || other === null || one === other)
}

/** Kits have no status for partial results: what is known of them changes, and nothing else. */
async function planPartial(
  scope: Scope,
  { row, isReviewed }: PlannedReport,
): Promise<LowLevelStatus[] | undefined> {
  if (row.method !== 'testkit') return findWay(scope, row, 'partial_results', isReviewed)
  if (WITH_LAB.has(row.last_status)) return []
  return findWay(scope, row, 'delivered_to_lab', isReviewed)
}

async function planFinal(
  scope: Scope,
  { row, wantsRedraw, isReviewed }: PlannedReport,
): Promise<LowLevelStatus[] | undefined> {
  const redraw = wantsRedraw ? await findWay(scope, row, 'redraw_available', isReviewed) : undefined
  return redraw ?? findWay(scope, row, 'completed', isReviewed)
}

/** The shortest legal way to a status through those that may be passed; undefined when none is. */
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
