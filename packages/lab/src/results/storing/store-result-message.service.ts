import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { newId } from '@salus/kernel/ids'
import { awaitWithCommit } from '@salus/kernel/postgres/transaction'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset, parseInstant } from '@salus/kernel/time/instants'
import { findLab, listOrderedMarkers, listReflexMarkers } from '../../catalog/index.ts'
import {
  createFollowingOrder,
  emitOrder,
  listMarkersOfPlacers,
  lockOrder,
  type OrderRow,
  type ResultChanges,
  recordResult,
  transitionOrder,
} from '../../orders/index.ts'
import {
  type EvaluatedMessage,
  evaluateResultMessage,
} from '../evaluation/evaluate-result-message.ts'
import { expectationsOf } from '../evaluation/expected-results.ts'
import { isComplete } from '../evaluation/ordered-tests.ts'
import type { MatchDecisionCode } from '../match-review/match-review.schema.ts'
import * as repository from '../results.repository.ts'
import type { ResultTransaction } from '../results.scope.ts'
import type { ReceivedContent, ResultMessageWithoutPdf } from '../results.tables.ts'
import { emitCritical } from './critical-results.ts'
import { mergeReports } from './merge-reports.ts'
import { planResultMessage } from './plan-result-message.ts'
import { markersToRedraw, mayRedraw } from './redraw-rule.ts'
import { openDocuments, writeDocuments } from './result-documents.ts'
import { countGone, effectOf, haveNewDocuments } from './shown-effect.ts'
import { type Ordered, type ReadMessage, type StoreSource, storePdf } from './store-result-pdf.ts'
import { emitWrongPatient } from './withdrawn-results.ts'

/** Outcome of storing a result message. */
export type StoreOutcome =
  | { kind: 'stored'; row: OrderRow; version: number }
  | { kind: 'ignored' }
  | { kind: 'held'; code: MatchDecisionCode }

/** Returns a result message without its documents, with the hash by which it is recognized. */
export function withoutPdf(message: ResultMessage): ResultMessageWithoutPdf {
  const { pdf: _, pdf_head: __, documents: ___, ...rest } = message
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('hex')
  return { ...rest, content_hash: hash }
}

/**
 * Stores a result message as a new version of its order's results and moves the order, with all
 * events, in the caller's transaction, in which it locks the order. The version has the results of
 * all messages so far, merged by the laboratory's time. A repeated message is ignored. With the
 * outcome `held` the order cannot receive it, and nothing was written.
 */
export async function storeResultMessage(
  tx: ResultTransaction,
  orderId: string,
  message: ResultMessage,
  source: StoreSource,
): Promise<StoreOutcome> {
  // The lock comes first; they share a round trip.
  const [row, versions] = await Promise.all([
    lockOrder(tx, orderId),
    repository.listVersions(tx, orderId),
  ])
  if (row === undefined) throw new Error('The order of a result message is gone.')
  const bare = withoutPdf(message)
  if (versions.some((known) => known.report.content_hash === bare.content_hash)) {
    return { kind: 'ignored' }
  }
  const version = (versions.at(-1)?.version ?? 0) + 1
  // An accept may be undone and repeated, so it shares no file with the one before.
  const documents = openDocuments(message, row.id, source.isReviewed ? newId() : '')
  const described = documents.map(({ stored }) => ({ ...stored, version }))
  const content = described.length === 0 ? bare : { ...bare, documents: described }
  const ordered = await readOrdered(tx, row)
  const { merged, isNewest } = mergeWith(ordered, versions, content, source.at)
  const evaluated = evaluateResultMessage(merged, ordered.expectations, sampleIdOf(row, merged))
  const effect = effectOf(versions, { content, merged, evaluated, isNewest })
  const mayHaveRedraw = await mayRedraw(tx, row)
  const redraw = mayHaveRedraw ? markersToRedraw(merged.status, evaluated.missing_results) : []
  const plan = await planResultMessage(tx, {
    row,
    message: content,
    status: merged.status,
    effect,
    newest: versions.at(-1)?.report,
    wantsRedraw: redraw.length > 0,
    isReviewed: source.isReviewed ?? false,
  })
  if (plan.kind !== 'stored') return plan
  const { statuses } = plan
  const read = {
    ...{ row, message, content, documents, merged, isNewest },
    effect,
    ordered,
    evaluated,
    versions,
    version,
  }
  const stored = await writeVersion(tx, { ...read, statuses }, source)
  if (stored.row.last_status === 'redraw_available') {
    const following = { origin: 'redraw' as const, markerIds: redraw, at: source.at }
    await createFollowingOrder(tx, stored.row, following)
    // Emitted here, because the event shows the redraw in the order's transaction.
    await emitOrder(tx, stored.row, 'updated')
  }
  return { kind: 'stored', ...stored }
}

/** Merges a message with those of the stored versions, and finds out whether all is there. */
function mergeWith(
  { markers, expectations, placers }: Ordered & { placers: ReadonlyMap<string, number> },
  versions: readonly repository.ResultRow[],
  content: ResultMessageWithoutPdf,
  at: Date,
): { merged: ReceivedContent; isNewest: boolean } {
  const before = versions.map(({ received, report, created_at }) => {
    const { evaluated: _, content_hash: __, ...shown } = report
    return { message: received ?? shown, at: created_at }
  })
  const { content_hash: _, ...own } = content
  const { merged, newest } = mergeReports([...before, { message: own, at }])
  const isNewest = newest === own
  if (merged.tests === undefined) return { merged, isNewest }
  const tests = markers.map((marker) => ({ ...marker, loinc: null }))
  const isDone = isComplete(merged, tests, expectations, placers)
  const status = !isDone ? 'partial' : merged.status === 'corrected' ? 'corrected' : 'final'
  return { merged: { ...merged, status }, isNewest }
}

async function writeVersion(
  tx: ResultTransaction,
  read: ReadMessage,
  source: StoreSource,
): Promise<{ row: OrderRow; version: number }> {
  const { row, content, merged, evaluated, versions, version, statuses } = read
  const { content_hash, ...own } = content
  const known = versions.at(-1)?.report
  const before = known?.evaluated.results ?? []
  const { results, missing_results } = evaluated
  const inserted = repository.insertResult(tx, {
    order_id: row.id,
    version,
    lab_message_id: source.messageId,
    status: evaluated.status,
    interpretation: evaluated.interpretation,
    has_missing_results: missing_results.length > 0,
    report: JSON.stringify({ ...merged, content_hash, evaluated: { results, missing_results } }),
    received: isDeepStrictEqual(merged, own) ? null : JSON.stringify(own),
    document_files: await writeDocuments(tx.files, row.id, read.documents),
    pdf_file: await storePdf(tx, read, source),
    created_at: source.at,
  })
  await awaitWithCommit(tx.db, inserted)
  const change = { at: source.at, changes: changesOf(row, merged, evaluated) }
  const changed = await passThrough(tx, row, statuses, change)
  // What is added after the final results changes no status, but clients have to read it.
  const isAddedLater =
    statuses.length === 0 &&
    (read.effect === 'added' || haveNewDocuments(known, merged)) &&
    evaluated.status === 'final'
  if (isAddedLater) await emitOrder(tx, changed, 'updated')
  const firstAt = versions[0]?.created_at ?? source.at
  const about = { row: changed, version, message: merged, evaluated }
  const goneDocuments = countGone(known, merged)
  const stored = { ...about, before, goneDocuments, firstAt, at: source.at }
  await emitCritical(tx, stored)
  await emitWrongPatient(tx, stored, own)
  return { row: changed, version }
}

/** Returns the key of a message's sample information: the sample id of its order. */
export function sampleIdOf(row: Pick<OrderRow, 'sample_id'>, message: ReceivedContent): string {
  return row.sample_id ?? message.sample_id ?? message.specimen_number ?? ''
}

/** Returns also the ordered markers by the placer numbers of their tests. */
async function readOrdered(
  tx: TransactionScope,
  row: OrderRow,
): Promise<Ordered & { placers: Map<string, number> }> {
  const [lab, markers, reflexes, placers] = await Promise.all([
    findLab(tx.db, row.lab_id),
    listOrderedMarkers(tx.db, row.marker_ids),
    listReflexMarkers(tx.db, row.marker_ids),
    listMarkersOfPlacers(tx, row.id),
  ])
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  return { lab, markers, expectations: expectationsOf(markers, reflexes), placers }
}

/** Returns the columns that the order copies from its newest result. */
function changesOf(
  row: OrderRow,
  message: ReceivedContent,
  evaluated: EvaluatedMessage,
): ResultChanges {
  const collected = message.collected_at && parseInstant(message.collected_at.timestamp)
  return {
    interpretation: evaluated.interpretation,
    has_missing_results: evaluated.missing_results.length > 0,
    collected_on: collected
      ? dateAtOffset(collected.epochMilliseconds, message.collected_at?.timezone_offset ?? 0)
      : row.collected_on,
  }
}

/** Takes the statuses in order; the last one also sets the columns copied from the result. */
async function passThrough(
  tx: TransactionScope,
  row: OrderRow,
  statuses: readonly LowLevelStatus[],
  { at, changes }: { at: Date; changes: ResultChanges },
): Promise<OrderRow> {
  if (statuses.length === 0) return recordResult(tx, row, changes, at)
  let changed = row
  for (const [index, to] of statuses.entries()) {
    const isLast = index === statuses.length - 1
    const isUnwanted = to === 'partial_results' && !tx.environment.settings.partial_webhooks_enabled
    const isSilent = isUnwanted || to === 'redraw_available'
    changed = await transitionOrder(tx, changed, {
      to,
      at,
      isSilent,
      ...(isLast && { changes }),
    })
  }
  return changed
}

/** Returns the newest result message of an order, without its PDF. */
export async function findNewestMessage(
  scope: Scope,
  orderId: string,
): Promise<ResultMessage | undefined> {
  const [newest] = await repository.listNewestVersions(scope, [orderId])
  if (newest === undefined) return undefined
  const { content_hash: _, evaluated: __, documents: ___, ...message } = newest.report
  return { ...message, pdf: null }
}
