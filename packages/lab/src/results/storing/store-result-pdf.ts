import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import {
  getLabAccount,
  type LabAccountRow,
  type LabRow,
  type OrderedMarker,
} from '../../catalog/index.ts'
import { renderResultDocument } from '../../documents/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import type { EvaluatedMessage } from '../evaluation/evaluate-result-message.ts'
import type { Expectation } from '../evaluation/expected-results.ts'
import type * as repository from '../results.repository.ts'
import type { ResultSource, ResultTransaction } from '../results.scope.ts'
import type { ReceivedContent, ResultMessageWithoutPdf } from '../results.tables.ts'
import type { ShownEffect } from './plan-result-message.ts'
import { fileOfDocument, type OpenDocument } from './result-documents.ts'
import { decodePdf, writeResultFile } from './result-files.ts'

/** Source of a result message, and whether a reviewer assigned it to its order. */
export interface StoreSource extends ResultSource {
  isReviewed?: boolean
}

/** The laboratory of an order, and what was ordered there. */
export interface Ordered {
  lab: LabRow
  markers: OrderedMarker[]
  expectations: Expectation[]
}

/** A result message to store, with the data derived from it. */
export interface ReadMessage {
  row: OrderRow
  message: ResultMessage
  content: ResultMessageWithoutPdf
  /** Documents of the message, its PDF first. */
  documents: readonly OpenDocument[]
  /** The results with those of earlier messages. */
  merged: ReceivedContent
  /** Whether the laboratory reported nothing later. */
  isNewest: boolean
  effect: ShownEffect
  ordered: Ordered
  evaluated: EvaluatedMessage
  versions: readonly repository.ResultRow[]
  /** Number of the version that is stored. */
  version: number
  statuses: readonly LowLevelStatus[]
}

/**
 * Returns the file of the result PDF: the laboratory's PDF of a report that has all that is shown,
 * else the PDF of the version before where nothing changed, else a rendered one. The name of a
 * rendered one contains the message's id, so that a message that is processed again overwrites its
 * own file. An accepted result gets a new name each time, because the accept may be undone and
 * repeated.
 */
export async function storePdf(
  tx: ResultTransaction,
  read: ReadMessage,
  { messageId, at, isReviewed }: StoreSource,
): Promise<string | null> {
  const { row, versions, version } = read
  const own = reportOf(read)
  if (own !== undefined) return fileOfDocument(row.id, own.stored)
  const before = versions.at(-1)?.pdf_file ?? null
  if (read.effect === 'none' && before !== null) return before
  const pdf = await renderPdf(tx, read, await getLabAccount(tx.db, row.lab_account_id), at)
  if (pdf === null) return null
  const origin = isReviewed || messageId === null ? newId() : messageId
  const name = `${row.id}.${version}.${origin}.pdf`
  await writeResultFile(tx.files, name, pdf)
  return name
}

/**
 * Returns the laboratory's PDF where it stands for all that is shown. That of a part does when with
 * it all is there, as when the PDF of an order follows its last result. A document alone, without a
 * test, is no report of an order that has results.
 */
function reportOf({ message, merged, documents, isNewest, versions }: ReadMessage) {
  const hasTests = Object.keys(message.tests ?? {}).length > 0
  const isLast = hasTests && merged.status !== 'partial'
  const hasAll = versions.length === 0 || (isNewest && (message.scope !== 'part' || isLast))
  return hasAll && decodePdf(message.pdf) !== null ? documents[0] : undefined
}

const withoutDocuments = ({ documents: _, ...report }: ReceivedContent) => report

/** Returns null when rendering fails, because a result without a PDF is better than none. */
async function renderPdf(
  { log }: Scope,
  { row, merged, ordered: { lab, markers } }: ReadMessage,
  account: LabAccountRow,
  at: Date,
): Promise<Buffer | null> {
  try {
    return await renderResultDocument({
      report: { ...withoutDocuments(merged), pdf: null },
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
        number: merged.account_id ?? account.provider_account_id,
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
