import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { isTerminal, type LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { invalidInput } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import {
  listMarkersOfMessage,
  listOrderedMarkers,
  type OrderedMarker,
  selectLabAccount,
} from '../../catalog/index.ts'
import {
  createFollowingOrder,
  createOrderForResult,
  listOrdersOfTransaction,
  type OrderRow,
  transitionOrder,
} from '../../orders/index.ts'
import { isSameResult, type ResultKey } from '../evaluation/expected-results.ts'
import { listNewestVersions } from '../results.repository.ts'
import type { ReviewTarget } from './review-target.ts'

const HAS_RESULTS = new Set<LowLevelStatus>(['completed', 'corrected', 'redraw_available'])

const NO_MARKERS = invalidInput(
  ['body', 'order_id'],
  'The result does not name the ordered tests; give an order of its laboratory',
  'unknown_markers',
)
const NOT_TAKING = invalidInput(
  ['body', 'order_id'],
  'The order cannot receive results in its present state',
  'order_not_taking_results',
)

/**
 * Returns the order that receives an accepted result when the target order is completed, cancelled,
 * at another laboratory or missing
 * (docs/contract/13-results.md#post-v3unmatched_resultraw_result_idaccept). It replaces the last of
 * a chain of replacements; an order that an undo left without its result is reused.
 */
export async function makeReceivingOrder(
  tx: TransactionScope,
  { order, userId }: ReviewTarget,
  { message, labId, at }: { message: ResultMessage; labId: number; at: Date },
): Promise<OrderRow> {
  if (order === null) {
    const markerIds = await readMarkers(tx.db, message, labId)
    const made = await createOrderForResult(tx, { userId, labId, markerIds, at })
    return bypassRequisition(tx, made, at)
  }
  if (order.lab_id === labId && !isTerminal(order.last_status)) throw NOT_TAKING
  const last = await findLastReplacement(tx, order)
  if (last.id !== order.id && (await isEmptied(tx, last, labId))) return last
  const isSameLab = order.lab_id === labId
  const markerIds = isSameLab ? order.marker_ids : await readMarkers(tx.db, message, labId)
  const accountRequest = { labId, labAccountId: null, purpose: 'import' as const }
  const account = isSameLab ? undefined : await selectLabAccount(tx, accountRequest)
  const made = await createFollowingOrder(tx, last, {
    origin: 'recreation',
    markerIds,
    isImported: true,
    at,
    ...(account !== undefined && { labAccountId: account.id }),
  })
  return bypassRequisition(tx, made, at)
}

/** Skips the requisition, because the laboratory has already done its work. */
function bypassRequisition(tx: TransactionScope, row: OrderRow, at: Date): Promise<OrderRow> {
  if (row.last_status !== 'ordered') return Promise.resolve(row)
  const transition = { to: 'requisition_bypassed' as const, at, changes: { requisition_at: at } }
  return transitionOrder(tx, row, transition)
}

async function readMarkers(db: Db, message: ResultMessage, labId: number): Promise<number[]> {
  const results = [...message.results, ...message.missing_results]
  const ids = await listMarkersOfMessage(db, labId, {
    ordered: message.ordered_provider_ids,
    results: results.flatMap(({ provider_id: code }) => code ?? []),
    loincs: results.flatMap(({ loinc }) => loinc ?? []),
  })
  const markerIds = markersOfMessage(message, await listOrderedMarkers(db, ids))
  if (markerIds.length === 0) throw NO_MARKERS
  return markerIds
}

/** Returns the last order in the chain of replacements; an order has one direct replacement. */
async function findLastReplacement(scope: Scope, order: OrderRow): Promise<OrderRow> {
  const all = await listOrdersOfTransaction(scope, order.transaction_id)
  let last = order
  for (const next of all) {
    if (next.origin === 'recreation' && next.parent_id === last.id) last = next
  }
  return last
}

/** Returns true for a completed order without a result, because an undo removed it. */
async function isEmptied(scope: Scope, row: OrderRow, labId: number): Promise<boolean> {
  if (row.lab_id !== labId || !HAS_RESULTS.has(row.last_status)) return false
  const versions = await listNewestVersions(scope, [row.id])
  return versions.length === 0
}

type Answered = Pick<ResultMessage, 'ordered_provider_ids' | 'results' | 'missing_results'>
type Candidate = Pick<OrderedMarker, 'id' | 'provider_id' | 'expected_results'>

/**
 * Returns the ordered markers of a result message: those that it names as ordered, or else the
 * smallest set of markers whose required results are reported, largest marker first.
 */
export function markersOfMessage(message: Answered, candidates: readonly Candidate[]): number[] {
  const named = candidates.filter(
    ({ provider_id: code }) => code !== null && message.ordered_provider_ids.includes(code),
  )
  if (named.length > 0) return named.map(({ id }) => id)
  const reported: ResultKey[] = [...message.results, ...message.missing_results]
  const isReported = (key: ResultKey) => reported.some((result) => isSameResult(result, key))
  const complete = candidates
    .map((marker) => ({ marker, keys: requiredKeys(marker) }))
    .filter(({ keys }) => keys.length > 0 && keys.every(isReported))
    .toSorted((a, b) => b.keys.length - a.keys.length || a.marker.id - b.marker.id)
  const covered: ResultKey[] = []
  const chosen: number[] = []
  for (const { marker, keys } of complete) {
    const isNew = keys.some((key) => !covered.some((known) => isSameResult(known, key)))
    if (!isNew) continue
    covered.push(...keys)
    chosen.push(marker.id)
  }
  return chosen
}

function requiredKeys({ expected_results }: Candidate): ResultKey[] {
  return expected_results
    .filter(({ required }) => required)
    .map(({ name, provider_id, loinc }) => ({ name, provider_id, loinc: loinc?.code ?? null }))
}
