import { createHash } from 'node:crypto'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset, parseInstant } from '@salus/kernel/time/instants'
import {
  findLab,
  getLabAccount,
  type LabAccountRow,
  type LabRow,
  listOrderedMarkers,
  listReflexMarkers,
  type OrderedMarker,
} from '../../catalog/index.ts'
import { renderResultDocument } from '../../documents/index.ts'
import {
  createFollowingOrder,
  emitOrder,
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
import type { MatchDecisionCode } from '../match-review/match-review.schema.ts'
import * as repository from '../results.repository.ts'
import type { ResultSource, ResultTransaction } from '../results.scope.ts'
import type { ResultMessageWithoutPdf } from '../results.tables.ts'
import { emitCritical } from './critical-results.ts'
import { planResultMessage } from './plan-result-message.ts'
import { markersToRedraw, mayRedraw } from './redraw-rule.ts'
import { decodePdf, writeResultFile } from './result-files.ts'

/** Outcome of storing a result message. */
export type StoreOutcome =
  | { kind: 'stored'; row: OrderRow; version: number }
  | { kind: 'ignored' }
  | { kind: 'held'; code: MatchDecisionCode }

/** Source of a result message, and whether a reviewer assigned it to its order. */
export interface StoreSource extends ResultSource {
  isReviewed?: boolean
}

/** Returns a result message without its PDF, with the hash by which it is recognized. */
export function withoutPdf(message: ResultMessage): ResultMessageWithoutPdf {
  const { pdf: _, ...rest } = message
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('hex')
  return { ...rest, content_hash: hash }
}

/**
 * Stores a result message as a new version of its order's results and moves the order, with all
 * events, in the caller's transaction, in which it locks the order. A repeated message is ignored.
 * With the outcome `held` the order cannot receive it, and nothing was written.
 */
export async function storeResultMessage(
  tx: ResultTransaction,
  orderId: string,
  message: ResultMessage,
  source: StoreSource,
): Promise<StoreOutcome> {
  const row = await lockOrder(tx, orderId)
  if (row === undefined) throw new Error('The order of a result message is gone.')
  const versions = await repository.listVersions(tx, row.id)
  const content = withoutPdf(message)
  if (versions.some((known) => known.report.content_hash === content.content_hash)) {
    return { kind: 'ignored' }
  }
  const ordered = await readOrdered(tx.db, row)
  const evaluated = evaluateResultMessage(message, ordered.expectations, sampleIdOf(row, message))
  const mayHaveRedraw = await mayRedraw(tx, row)
  const redraw = mayHaveRedraw ? markersToRedraw(message, evaluated.missing_results) : []
  const plan = await planResultMessage(tx, {
    row,
    message,
    newest: versions.at(-1)?.report,
    wantsRedraw: redraw.length > 0,
    isReviewed: source.isReviewed ?? false,
  })
  if (plan.kind !== 'stored') return plan
  const read = { row, message, content, ordered, evaluated, versions, statuses: plan.statuses }
  const stored = await writeVersion(tx, read, source)
  if (stored.row.last_status === 'redraw_available') {
    const following = { origin: 'redraw' as const, markerIds: redraw, at: source.at }
    await createFollowingOrder(tx, stored.row, following)
    // Emitted here, because the event shows the redraw in the order's transaction.
    await emitOrder(tx, stored.row, 'updated')
  }
  return { kind: 'stored', ...stored }
}

/** A result message to store, with the data derived from it. */
interface ReadMessage {
  row: OrderRow
  message: ResultMessage
  content: ResultMessageWithoutPdf
  ordered: Ordered
  evaluated: EvaluatedMessage
  versions: readonly repository.ResultRow[]
  statuses: readonly LowLevelStatus[]
}

async function writeVersion(
  tx: ResultTransaction,
  read: ReadMessage,
  source: StoreSource,
): Promise<{ row: OrderRow; version: number }> {
  const { row, message, evaluated, versions, statuses } = read
  const version = (versions.at(-1)?.version ?? 0) + 1
  const { results, missing_results } = evaluated
  await repository.insertResult(tx, {
    order_id: row.id,
    version,
    lab_message_id: source.messageId,
    status: evaluated.status,
    interpretation: evaluated.interpretation,
    has_missing_results: missing_results.length > 0,
    report: JSON.stringify({ ...read.content, evaluated: { results, missing_results } }),
    pdf_file: await storePdf(tx, read, version, source),
    created_at: source.at,
  })
  const change = { at: source.at, changes: changesOf(row, message, evaluated) }
  const changed = await passThrough(tx, row, statuses, change)
  await emitCritical(tx, {
    row: changed,
    version,
    message,
    evaluated,
    before: versions.at(-1)?.report.evaluated.results ?? [],
    firstAt: versions[0]?.created_at ?? source.at,
    at: source.at,
  })
  return { row: changed, version }
}

/** Returns the key of a message's sample information: the sample id of its order. */
export function sampleIdOf(row: Pick<OrderRow, 'sample_id'>, message: ResultMessage): string {
  return row.sample_id ?? message.sample_id ?? message.specimen_number ?? ''
}

interface Ordered {
  lab: LabRow
  markers: OrderedMarker[]
  expectations: ReturnType<typeof expectationsOf>
}

async function readOrdered(db: Db, row: OrderRow): Promise<Ordered> {
  const lab = await findLab(db, row.lab_id)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  const markers = await listOrderedMarkers(db, row.marker_ids)
  const reflexes = await listReflexMarkers(db, row.marker_ids)
  return { lab, markers, expectations: expectationsOf(markers, reflexes) }
}

/** Returns the columns that the order copies from its newest result. */
function changesOf(
  row: OrderRow,
  message: ResultMessage,
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

/**
 * Stores the laboratory's PDF, or a rendered one. The name contains the message's id, so that a
 * message that is processed again overwrites its own file. An accepted result gets a new name each
 * time, because the accept may be undone and repeated.
 */
async function storePdf(
  tx: ResultTransaction,
  read: ReadMessage,
  version: number,
  { messageId, at, isReviewed }: StoreSource,
): Promise<string | null> {
  const account = await getLabAccount(tx.db, read.row.lab_account_id)
  const pdf = decodePdf(read.message.pdf) ?? (await renderPdf(tx, read, account, at))
  if (pdf === null) return null
  const origin = isReviewed || messageId === null ? newId() : messageId
  const name = `${read.row.id}.${version}.${origin}.pdf`
  await writeResultFile(tx.files, name, pdf)
  return name
}

/** Returns null when rendering fails, because a result without a PDF is better than none. */
async function renderPdf(
  { log }: Scope,
  { row, message, ordered: { lab, markers } }: ReadMessage,
  account: LabAccountRow,
  at: Date,
): Promise<Buffer | null> {
  try {
    return await renderResultDocument({
      report: message,
      laboratory: {
        name: lab.name,
        address: {
          first_line: lab.first_line_address,
          city: lab.city,
          state: lab.state,
          zip: lab.zipcode,
        },
        phone_number: lab.phone_number,
        clia_number: lab.clia_number,
        medical_director: lab.medical_director,
      },
      account: {
        number: message.account_id ?? account.provider_account_id,
        name: account.account_name,
        address: null,
      },
      tests: markers.map(({ provider_id, name, expected_results }) => ({
        provider_id,
        name,
        expected_results: expected_results.map((expected) => ({
          name: expected.name,
          provider_id: expected.provider_id,
          loinc: expected.loinc?.code ?? null,
        })),
      })),
      at,
    })
  } catch (error) {
    log.warn({ err: error, orderId: row.id }, 'the PDF of a result could not be rendered')
    return null
  }
}

/** Returns the newest result message of an order, without its PDF. */
export async function findNewestMessage(
  scope: Scope,
  orderId: string,
): Promise<ResultMessage | undefined> {
  const [newest] = await repository.listNewestVersions(scope, [orderId])
  if (newest === undefined) return undefined
  const { content_hash: _, evaluated: __, ...message } = newest.report
  return { ...message, pdf: null }
}
