import { findUserInfo } from '@salus/accounts/users'
import { type ResultMessage, SANDBOX_ACCOUNT_ID } from '@salus/contracts/lab-gateway'
import type { Environment, Scope } from '@salus/kernel/scope'
import { parseDate } from '@salus/kernel/time/instants'
import { getLabAccount, listOrderedMarkers, type OrderedMarker } from '../../catalog/index.ts'
import { listOrderRows, listOrdersOfUser, type OrderRow } from '../../orders/index.ts'
import { compareDemographics, matchResultPatient, type Patient } from '../../patients/index.ts'
import { expectationsOf, isSameResult } from '../evaluation/expected-results.ts'
import * as results from '../results.repository.ts'
import type { StoredResultMessage } from '../results.tables.ts'
import { planResultMessage } from '../storing/plan-result-message.ts'
import type { CandidateOrder, MarkerOverlap } from './candidate-order.ts'
import * as repository from './matching.repository.ts'

/** Data of a result message that identifies its order. */
export interface MessageToMatch {
  message: Pick<
    ResultMessage,
    | 'status'
    | 'scope'
    | 'tests'
    | 'account_id'
    | 'sample_id'
    | 'specimen_number'
    | 'patient'
    | 'results'
    | 'missing_results'
  >
  labId: number
  /** The order that the laboratory names by our id, if any. */
  orderId?: string | undefined
}

/** Most candidate orders of one result message. */
const MOST_CANDIDATES = 20

/** Data of orders for several result messages, read at once. */
interface Known {
  environment: Environment
  orders: OrderRow[]
  accountNumbers: ReadonlyMap<string, string>
  markers: ReadonlyMap<number, OrderedMarker>
  newest: ReadonlyMap<string, StoredResultMessage>
}

/**
 * Returns the orders that each result message may belong to: that of its sample and, unless only
 * that is requested, those of the same person.
 */
export async function listCandidateOrders(
  scope: Scope,
  found: readonly MessageToMatch[],
  options: { isOnlyOfSample?: boolean; isOnlyOfLiving?: boolean } = {},
): Promise<CandidateOrder[][]> {
  if (found.length === 0) return []
  const named = await listNamedOrders(scope, found)
  const others = options.isOnlyOfSample ? [] : await listOrdersOfPersons(scope, found)
  const all = [...named, ...others].filter((row) => !(options.isOnlyOfLiving && row.is_hidden))
  const rows = new Map(all.map((row) => [row.id, row]))
  const known = await readKnown(scope, [...rows.values()])
  const candidates: CandidateOrder[][] = []
  for (const each of found) {
    const relations: Relation[] = []
    for (const row of known.orders) relations.push(await relationOf(scope, row, each))
    const fitting = relations
      .filter(({ isProvenance, fit }) => isProvenance || fit === 'match')
      .toSorted((a, b) => Number(b.isProvenance) - Number(a.isProvenance))
      .slice(0, MOST_CANDIDATES)
    const orders: CandidateOrder[] = []
    for (const relation of fitting)
      orders.push(await toCandidateOrder(scope, known, each, relation))
    candidates.push(orders)
  }
  return candidates
}

interface Relation {
  row: OrderRow
  isProvenance: boolean
  fit: CandidateOrder['fit']
}

/** Relates a message to an order; the number of the order alone proves no patient. */
async function relationOf(
  scope: Scope,
  row: OrderRow,
  { message, labId, orderId }: MessageToMatch,
): Promise<Relation> {
  const isOfSample =
    message.sample_id !== null && row.sample_id === message.sample_id && row.lab_id === labId
  const isProvenance = orderId === undefined ? isOfSample : row.id === orderId
  const patient = row.patient_details
  if (patient === null) return { row, isProvenance, fit: 'mismatch' }
  const isFit = isProvenance
    ? await isPatientOfOrder(scope, row.user_id, message.patient, patient)
    : compareDemographics(message.patient, patient) === 'match'
  return { row, isProvenance, fit: isFit ? 'match' : 'mismatch' }
}

/** Compares by the rule for lab reports; other names of the person are read only if needed. */
async function isPatientOfOrder(
  scope: Scope,
  userId: string,
  reported: Patient,
  patient: Patient,
): Promise<boolean> {
  if (matchResultPatient(reported, patient, []) === 'match') return true
  const [info, orders] = await Promise.all([
    findUserInfo(scope, userId),
    listOrdersOfUser(scope, userId),
  ])
  const elsewhere: Patient[] = orders.flatMap(({ patient_details: details }) => details ?? [])
  if (info !== undefined) elsewhere.push(info)
  return matchResultPatient(reported, patient, elsewhere) === 'match'
}

async function listNamedOrders(
  scope: Scope,
  messages: readonly MessageToMatch[],
): Promise<OrderRow[]> {
  const samples = messages.flatMap(({ message: { sample_id: sampleId }, labId }) =>
    sampleId === null ? [] : [{ labId, sampleId }],
  )
  const ids = messages.flatMap(({ orderId }) => orderId ?? [])
  const found = await Promise.all([
    samples.length === 0 ? [] : repository.listOrdersOfSamples(scope, samples),
    ids.length === 0 ? [] : listOrderRows(scope, ids),
  ])
  return found.flat()
}

function listOrdersOfPersons(scope: Scope, found: readonly MessageToMatch[]): Promise<OrderRow[]> {
  const dates = found.flatMap(({ message }) => parseDate(message.patient.dob ?? '') ?? [])
  return repository.listOrdersOfBirthDates(scope, dates)
}

async function readKnown(scope: Scope, orders: OrderRow[]): Promise<Known> {
  const { db, environment } = scope
  const accountIds = [...new Set(orders.map((row) => row.lab_account_id))]
  const markerIds = [...new Set(orders.flatMap((row) => row.marker_ids))]
  const ids = orders.map(({ id }) => id)
  const [accounts, markers, versions] = await Promise.all([
    Promise.all(accountIds.map((id) => getLabAccount(db, id))),
    listOrderedMarkers(db, markerIds),
    results.listNewestVersions(scope, ids),
  ])
  return {
    environment,
    orders,
    accountNumbers: new Map(accounts.map((each) => [each.id, each.provider_account_id])),
    markers: new Map(markers.map((marker) => [marker.id, marker])),
    newest: new Map(versions.map((version) => [version.order_id, version.report])),
  }
}

async function toCandidateOrder(
  scope: Scope,
  known: Known,
  { message, labId }: MessageToMatch,
  relation: Relation,
): Promise<CandidateOrder> {
  const { row } = relation
  const planned = { row, message, newest: known.newest.get(row.id), wantsRedraw: false }
  const isSameLab = row.lab_id === labId
  const plan = await planResultMessage(scope, planned)
  const reviewed = await planResultMessage(scope, { ...planned, isReviewed: true })
  return {
    ...relation,
    isSameLab,
    isAccountMismatch: isSameLab && isOfOtherAccount(known, row, message.account_id),
    overlap: overlapOf(known, row, message),
    plan: plan.kind,
    canReceive: isSameLab && reviewed.kind === 'stored',
  }
}

function isOfOtherAccount(
  { environment, accountNumbers }: Known,
  row: OrderRow,
  number: string | null,
): boolean {
  if (number === null) return false
  if (environment.kind === 'sandbox' && number === SANDBOX_ACCOUNT_ID) return false
  return number.trim() !== accountNumbers.get(row.lab_account_id)?.trim()
}

function overlapOf(
  { markers }: Known,
  row: OrderRow,
  message: MessageToMatch['message'],
): MarkerOverlap {
  const ordered = row.marker_ids.flatMap((id) => markers.get(id) ?? [])
  const expected = expectationsOf(ordered)
  const reported = [...message.results, ...message.missing_results]
  const shared = reported.filter((result) => expected.some(({ key }) => isSameResult(key, result)))
  const required = expected.filter(({ isRequired }) => isRequired)
  return { reported: reported.length, ordered: required.length, shared: shared.length }
}
