import { formatInstant } from '@salus/kernel/time/instants'
import type { OrderRow } from '../../orders/index.ts'
import type { DemographicFit } from '../../patients/index.ts'
import type {
  CandidateReason,
  MatchDecisionCode,
  MatchReviewCandidate,
  MatchReviewCandidateGroup,
  MatchSubReasonCode,
} from '../match-review/match-review.schema.ts'
import type { ResultPlan } from '../storing/plan-result-message.ts'

/** Number of results that a result message and an order share. */
export interface MarkerOverlap {
  reported: number
  ordered: number
  shared: number
}

/** An order that a result message may belong to, with the data for the decision. */
export interface CandidateOrder {
  row: OrderRow
  /** Whether it is the order of the sample, by its id or because the laboratory names the order. */
  isProvenance: boolean
  fit: DemographicFit
  isSameLab: boolean
  isAccountMismatch: boolean
  overlap: MarkerOverlap
  /** Effect that the result message would have on the order without a review. */
  plan: ResultPlan['kind']
  /** Whether an accept stores the results in this order; otherwise another order is created. */
  canReceive: boolean
}

/** Reason for which results cannot be stored without a review. */
export interface MatchDecision {
  code: MatchDecisionCode
  subReasons: MatchSubReasonCode[]
}

const ENDED = new Set(['completed', 'corrected', 'redraw_available'])
const CANCELLED = new Set(['cancelled', 'do_not_process'])
const FAILED = new Set([
  'lost',
  'sample_error',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
])

const isOpen = ({ row: { last_status: status } }: CandidateOrder): boolean =>
  !ENDED.has(status) && !CANCELLED.has(status) && !FAILED.has(status)

const toDecision = (
  code: MatchDecisionCode,
  ...subReasons: MatchSubReasonCode[]
): MatchDecision => ({
  code,
  subReasons,
})

/**
 * Returns the order that a result message certainly belongs to: that of its sample, for the same
 * person, at the same laboratory and account. Otherwise returns the reason for a review
 * (docs/contract/13-results.md#states-of-a-review).
 */
export function decideMatch(
  orders: readonly CandidateOrder[],
): { order: OrderRow } | { decision: MatchDecision } {
  const provenance = orders.find(({ isProvenance }) => isProvenance)
  if (provenance === undefined) return { decision: matchDecisionOf(orders) }
  if (provenance.fit === 'mismatch')
    return { decision: toDecision('match_sample_id_mismatch_demo') }
  if (!provenance.isSameLab) return { decision: toDecision('wrong_lab') }
  if (provenance.isAccountMismatch) {
    return { decision: toDecision('match_sample_id', 'lab_account_mismatch') }
  }
  return { order: provenance.row }
}

/**
 * Returns the reason for a review. Without a known sample id no match is certain; the code says how
 * close it is.
 */
function matchDecisionOf(orders: readonly CandidateOrder[]): MatchDecision {
  const fitting = orders.filter(({ fit }) => fit === 'match')
  if (fitting.length === 0) return toDecision('no_match')
  if (new Set(fitting.map(({ row }) => row.user_id)).size > 1)
    return toDecision('multiple_demo_match')
  const here = fitting.filter(({ isSameLab }) => isSameLab)
  const openHere = here.filter(isOpen)
  if (openHere.some(({ plan }) => plan === 'stored')) return toDecision('match_demo')
  if (openHere.length > 0) return toDecision('wrong_collection')
  if (fitting.some((order) => !order.isSameLab && isOpen(order))) return toDecision('wrong_lab')
  const newestFirst = here.toSorted((a, b) => Number(b.row.created_at) - Number(a.row.created_at))
  const status = newestFirst[0]?.row.last_status ?? ''
  if (ENDED.has(status)) return toDecision('match_completed')
  if (CANCELLED.has(status)) return toDecision('match_cancelled')
  return toDecision(FAILED.has(status) ? 'wrong_collection' : 'match_demo')
}

function overlapReason({ reported, ordered, shared }: MarkerOverlap): CandidateReason {
  if (shared === 0) return 'marker_overlap_none'
  const isExact = shared === reported && shared >= ordered
  return isExact ? 'marker_overlap_exact' : 'marker_overlap_partial'
}

function reasonsOf(order: CandidateOrder, provenanceUserId: string | undefined): CandidateReason[] {
  const { row, isProvenance, fit, isSameLab, isAccountMismatch, overlap } = order
  const isSameUser = !isProvenance && row.user_id === provenanceUserId
  const isUnfit = isOpen(order) ? order.plan === 'held' : FAILED.has(row.last_status)
  const reasons: (CandidateReason | false)[] = [
    isProvenance && 'sample_id_match',
    isSameUser && 'same_user',
    fit === 'match' ? 'demographic_match' : 'demographic_mismatch',
    isSameLab && 'same_lab',
    !isSameLab && isOpen(order) && 'possible_wrong_lab',
    isAccountMismatch && 'lab_account_mismatch',
    ENDED.has(row.last_status) && 'matched_completed_order',
    CANCELLED.has(row.last_status) && 'matched_cancelled_order',
    isUnfit && 'invalid_collection_state',
    overlapReason(overlap),
  ]
  return reasons.filter((reason) => reason !== false)
}

/** Contribution of each reason to the confidence in a candidate. */
const WEIGHTS: Record<CandidateReason, number> = {
  sample_id_match: 0.45,
  demographic_match: 0.35,
  same_lab: 0.1,
  marker_overlap_exact: 0.1,
  marker_overlap_partial: 0.05,
  same_user: 0,
  marker_overlap_none: 0,
  lab_account_mismatch: -0.1,
  possible_wrong_lab: -0.05,
  matched_completed_order: -0.1,
  matched_cancelled_order: -0.15,
  invalid_collection_state: -0.1,
  demographic_mismatch: -0.2,
}
const HIGH = 0.75
const MEDIUM = 0.4

/** Returns the confidence in a candidate, from 0 to 1. */
export function confidenceOf(reasons: readonly CandidateReason[]): number {
  const sum = reasons.reduce((total, reason) => total + WEIGHTS[reason], 0)
  return Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100
}

function toCandidate(
  order: CandidateOrder,
  provenanceUserId: string | undefined,
): MatchReviewCandidate {
  const { row, isProvenance, overlap } = order
  const reasons = reasonsOf(order, provenanceUserId)
  const score = confidenceOf(reasons)
  return {
    candidate_type: isProvenance ? 'provenance_order' : 'order_option',
    order_id: row.id,
    order_transaction_id: row.transaction_id,
    last_status: row.last_status,
    confidence_level: score >= HIGH ? 'high' : score >= MEDIUM ? 'medium' : 'low',
    confidence_score: score,
    reasons,
    marker_overlap: overlap,
    status_context: {
      last_status_at: formatInstant(row.last_status_at),
      can_receive_results: order.canReceive,
    },
  }
}

/**
 * Returns the candidates by person, the likeliest first
 * (docs/contract/13-results.md#unmatchedresult).
 */
export function toCandidateGroups(orders: readonly CandidateOrder[]): MatchReviewCandidateGroup[] {
  const provenanceUserId = orders.find(({ isProvenance }) => isProvenance)?.row.user_id
  const ranked = orders
    .map((order) => ({
      userId: order.row.user_id,
      candidate: toCandidate(order, provenanceUserId),
    }))
    .toSorted((a, b) => scoreOf(b.candidate) - scoreOf(a.candidate))
  const groups = Map.groupBy(ranked, ({ userId }) => userId)
  return [...groups].map(([userId, members]) => ({
    user_id: userId,
    candidates: members.map(({ candidate }) => candidate),
  }))
}

const scoreOf = ({ confidence_score: score }: MatchReviewCandidate): number => score ?? 0
