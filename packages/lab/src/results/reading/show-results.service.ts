import { notFoundCode } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope } from '@salus/kernel/scope'
import { findLab, getLabAccount } from '../../catalog/index.ts'
import { joinPdfs, UnreadablePdf } from '../../documents/index.ts'
import {
  getOrderRow,
  getOrderTransaction,
  listOrdersOfTransaction,
  type OrderRow,
} from '../../orders/index.ts'
import type { ResultRow } from '../results.repository.ts'
import * as repository from '../results.repository.ts'
import type { LabResultsMetadata, LabResultsRaw, ResultVersion } from '../results.schema.ts'
import type { ResultsScope } from '../results.scope.ts'
import { fileOfDocument } from '../storing/result-documents.ts'
import { readResultFile } from '../storing/result-files.ts'
import { combineResults } from './combine-results.ts'
import {
  type ResultParts,
  toOrderResults,
  toResultsMetadata,
  toResultVersion,
} from './lab-results.presenter.ts'

/** A PDF with its file name. */
export interface PdfFile {
  name: string
  content: Buffer
}

const NO_RESULTS = notFoundCode('results_not_available')
const NO_VERSION = notFoundCode('result_version_not_found')
const NO_DOCUMENT = notFoundCode('document_not_available')

/**
 * Returns a version of an order's results; the newest by default.
 * @throws AppError 404 for the order, before the first result, and `result_version_not_found`
 */
export async function showOrderResults(
  scope: Scope,
  orderId: string,
  version?: number | undefined,
): Promise<LabResultsRaw> {
  const row = await getOrderRow(scope, orderId)
  const results = toOrderResults(await getParts(scope, row, version))
  const transaction = await getOrderTransaction(scope, row.transaction_id)
  return { ...results, order_transaction: transaction }
}

/** Returns the metadata of an order's results. @throws AppError 404 as showOrderResults */
export async function showResultMetadata(
  scope: Scope,
  orderId: string,
  version?: number | undefined,
): Promise<LabResultsMetadata> {
  const row = await getOrderRow(scope, orderId)
  return toResultsMetadata(await getParts(scope, row, version))
}

/**
 * Returns all versions of an order's results, newest first.
 * @throws AppError 404 as showOrderResults
 */
export async function listResultVersions(
  scope: Scope,
  orderId: string,
): Promise<{ data: ResultVersion[] }> {
  const row = await getOrderRow(scope, orderId)
  const versions = await repository.listVersions(scope, row.id)
  if (versions.length === 0) throw NO_RESULTS
  return { data: versions.map(toResultVersion).toReversed() }
}

/**
 * Returns the PDF of an order's results.
 * @throws AppError 404 as showOrderResults, and `document_not_available`
 */
export async function getResultPdf(
  scope: ResultsScope,
  orderId: string,
  version?: number | undefined,
): Promise<PdfFile> {
  const row = await getOrderRow(scope, orderId)
  const result = await getVersion(scope, row, version)
  if (result.pdf_file === null) throw NO_DOCUMENT
  const content = await readResultFile(scope.files, result.pdf_file)
  return { name: fileName(result), content }
}

/** A document of a laboratory with its file name. */
export interface DocumentFile extends PdfFile {
  contentType: string
}

/**
 * Returns a document that a version of an order's results shows; the newest by default.
 * @throws AppError 404 as showOrderResults, and `document_not_available`
 */
export async function getResultDocument(
  scope: ResultsScope,
  { orderId, documentId }: { orderId: string; documentId: string },
  version?: number | undefined,
): Promise<DocumentFile> {
  const row = await getOrderRow(scope, orderId)
  const { report } = await getVersion(scope, row, version)
  const found = report.documents?.find(({ id }) => id === documentId.toLowerCase())
  if (found === undefined) throw NO_DOCUMENT
  const content = await readResultFile(scope.files, fileOfDocument(row.id, found))
  const ending = ENDINGS.get(found.content_type) ?? 'bin'
  return { name: `${found.id}.${ending}`, contentType: found.content_type, content }
}

/** Ends of file names by content type. */
const ENDINGS = new Map([
  ['application/pdf', 'pdf'],
  ['application/rtf', 'rtf'],
  ['application/xml', 'xml'],
  ['image/gif', 'gif'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/tiff', 'tif'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
])

/**
 * Returns the combined results of a transaction.
 * @throws AppError 404 for the transaction, and before the first result of any of its orders
 */
export async function showTransactionResults(
  scope: Scope,
  transactionId: string,
): Promise<LabResultsRaw> {
  const transaction = await getOrderTransaction(scope, transactionId)
  const found = await listResults(scope, transaction.id)
  const parts = await Promise.all(found.map(({ row, result }) => readParts(scope.db, row, result)))
  const [first, ...later] = parts.map(toOrderResults)
  if (first === undefined) throw NO_RESULTS
  const combined = combineResults([first, ...later], transaction.status === 'completed')
  return { ...combined, order_transaction: transaction }
}

/** Returns the joined PDFs of a transaction's orders, oldest first. @throws AppError 404 */
export async function getTransactionPdf(
  scope: ResultsScope,
  transactionId: string,
): Promise<PdfFile> {
  const transaction = await getOrderTransaction(scope, transactionId)
  const found = await listResults(scope, transaction.id)
  const newest = found.at(-1)?.result
  if (newest === undefined) throw NO_RESULTS
  const names = found.flatMap(({ result }) => result.pdf_file ?? [])
  if (names.length === 0) throw NO_DOCUMENT
  const pdfs = await Promise.all(names.map((name) => readResultFile(scope.files, name)))
  return { name: fileName(newest), content: await joinReadable(scope, transaction.id, pdfs) }
}

/** Joins the documents, leaving out those that laboratories encrypted. */
async function joinReadable(
  { log }: Pick<Scope, 'log'>,
  transactionId: string,
  pdfs: readonly Buffer[],
): Promise<Buffer> {
  if (pdfs.length === 0) throw NO_DOCUMENT
  try {
    return await joinPdfs(pdfs)
  } catch (error) {
    if (!(error instanceof UnreadablePdf)) throw error
    log.warn({ transactionId, index: error.index }, 'a PDF of a result cannot be joined')
    return joinReadable({ log }, transactionId, pdfs.toSpliced(error.index, 1))
  }
}

async function getParts(
  scope: Scope,
  row: OrderRow,
  version: number | undefined,
): Promise<ResultParts> {
  return readParts(scope.db, row, await getVersion(scope, row, version))
}

/** Returns a version; the newest by default. */
async function getVersion(
  scope: Scope,
  { id }: OrderRow,
  version: number | undefined,
): Promise<ResultRow> {
  const [newest] = await repository.listNewestVersions(scope, [id])
  if (newest === undefined) throw NO_RESULTS
  if (version === undefined || version === newest.version) return newest
  const older = await repository.findVersion(scope, id, version)
  if (older === undefined) throw NO_VERSION
  return older
}

async function readParts(db: Db, row: OrderRow, result: ResultRow): Promise<ResultParts> {
  const [lab, account] = await Promise.all([
    findLab(db, row.lab_id),
    getLabAccount(db, row.lab_account_id),
  ])
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  return { row, result, lab, account }
}

/** Returns the orders of a transaction that have results, oldest order first. */
async function listResults(
  scope: Scope,
  transactionId: string,
): Promise<{ row: OrderRow; result: ResultRow }[]> {
  const all = await listOrdersOfTransaction(scope, transactionId)
  const rows = all.filter((row) => !row.is_hidden)
  const ids = rows.map(({ id }) => id)
  const results = await repository.listNewestVersions(scope, ids)
  return rows.flatMap((row) => {
    const result = results.find((each) => each.order_id === row.id)
    return result === undefined ? [] : [{ row, result }]
  })
}

/** Returns `<specimen_number>.pdf` without the signs that laboratories use in numbers. */
function fileName({ report, order_id: orderId }: ResultRow): string {
  const number = report.specimen_number?.replaceAll(/[^\w.-]+/g, '-') ?? ''
  return `${/\w/.test(number) ? number : orderId}.pdf`
}
