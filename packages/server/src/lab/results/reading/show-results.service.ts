import { notFoundCode } from '../../../platform/errors.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { findLab, getLabAccount } from '../../catalog/index.ts'
import { joinPdfs, UnreadablePdf } from '../../documents/index.ts'
import {
  getOrderRow,
  getOrderTransaction,
  listOrdersOfTransaction,
  type OrderRow,
} from '../../orders/index.ts'
import type { ResultsContext } from '../results.context.ts'
import type { ResultRow } from '../results.repository.ts'
import * as repository from '../results.repository.ts'
import type { LabResultsMetadata, LabResultsRaw, ResultVersion } from '../results.schema.ts'
import { readResultFile } from '../storing/result-files.ts'
import { combineResults } from './combine-results.ts'
import { type ResultParts, toMetadata, toOrderResults, toResultVersion } from './to-lab-results.ts'

type Reading = Pick<ResultsContext, 'db' | 'environment'>

/** A PDF and the name it is saved under. */
export interface PdfFile {
  name: string
  content: Buffer
}

const NO_RESULTS = notFoundCode('results_not_available')
const NO_VERSION = notFoundCode('result_version_not_found')
const NO_DOCUMENT = notFoundCode('document_not_available')

/**
 * The newest version of an order's result, or the one of a number.
 * @throws AppError 404 for the order, before the first result, and `result_version_not_found`
 */
export async function showOrderResults(
  context: Reading,
  orderId: string,
  version?: number | undefined,
): Promise<LabResultsRaw> {
  const row = await getOrderRow(context.db, context.environment.id, orderId)
  const results = toOrderResults(await getParts(context.db, row, version))
  const transaction = await getOrderTransaction(context, row.transaction_id)
  return { ...results, order_transaction: transaction }
}

/** @throws AppError 404 as showOrderResults */
export async function showResultMetadata(
  { db, environment }: Reading,
  orderId: string,
  version?: number | undefined,
): Promise<LabResultsMetadata> {
  const row = await getOrderRow(db, environment.id, orderId)
  return toMetadata(await getParts(db, row, version))
}

/** All versions of an order's result, newest first. @throws AppError 404 as showOrderResults */
export async function listResultVersions(
  { db, environment }: Reading,
  orderId: string,
): Promise<{ data: ResultVersion[] }> {
  const row = await getOrderRow(db, environment.id, orderId)
  const versions = await repository.listVersions(db, row.environment_id, row.id)
  if (versions.length === 0) throw NO_RESULTS
  return { data: versions.map(toResultVersion).toReversed() }
}

/** @throws AppError 404 as showOrderResults, and `document_not_available` */
export async function getResultPdf(
  { db, environment, files }: Pick<ResultsContext, 'db' | 'environment' | 'files'>,
  orderId: string,
  version?: number | undefined,
): Promise<PdfFile> {
  const row = await getOrderRow(db, environment.id, orderId)
  const result = await getVersion(db, row, version)
  if (result.pdf_file === null) throw NO_DOCUMENT
  const content = await readResultFile(files, result.pdf_file)
  return { name: fileName(result), content }
}

/** @throws AppError 404 for the transaction, and before the first result of any of its orders */
export async function showTransactionResults(
  context: Reading,
  transactionId: string,
): Promise<LabResultsRaw> {
  const transaction = await getOrderTransaction(context, transactionId)
  const found = await listResults(context, transaction.id)
  const parts = await Promise.all(
    found.map(({ row, result }) => readParts(context.db, row, result)),
  )
  const [first, ...later] = parts.map(toOrderResults)
  if (first === undefined) throw NO_RESULTS
  const combined = combineResults([first, ...later], transaction.status === 'completed')
  return { ...combined, order_transaction: transaction }
}

/** All PDFs of a transaction's orders as one, oldest first. @throws AppError 404 */
export async function getTransactionPdf(
  context: ResultsContext,
  transactionId: string,
): Promise<PdfFile> {
  const transaction = await getOrderTransaction(context, transactionId)
  const found = await listResults(context, transaction.id)
  const newest = found.at(-1)?.result
  if (newest === undefined) throw NO_RESULTS
  const names = found.flatMap(({ result }) => result.pdf_file ?? [])
  if (names.length === 0) throw NO_DOCUMENT
  const pdfs = await Promise.all(names.map((name) => readResultFile(context.files, name)))
  return { name: fileName(newest), content: await joinReadable(context, transaction.id, pdfs) }
}

/** Laboratories send documents that only they can open; the others are joined without them. */
async function joinReadable(
  { log }: Pick<ResultsContext, 'log'>,
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

async function getParts(db: Db, row: OrderRow, version: number | undefined): Promise<ResultParts> {
  return readParts(db, row, await getVersion(db, row, version))
}

/** The newest version, or the one of a number. */
async function getVersion(
  db: Db,
  { environment_id: environmentId, id }: OrderRow,
  version: number | undefined,
): Promise<ResultRow> {
  const [newest] = await repository.listNewestVersions(db, environmentId, [id])
  if (newest === undefined) throw NO_RESULTS
  if (version === undefined || version === newest.version) return newest
  const older = await repository.findVersion(db, environmentId, id, version)
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

/** Orders of a transaction that have results, oldest order first. */
async function listResults(
  { db, environment }: Reading,
  transactionId: string,
): Promise<{ row: OrderRow; result: ResultRow }[]> {
  const { id: environmentId } = environment
  const all = await listOrdersOfTransaction(db, environmentId, transactionId)
  const rows = all.filter((row) => !row.is_hidden)
  const ids = rows.map(({ id }) => id)
  const results = await repository.listNewestVersions(db, environmentId, ids)
  return rows.flatMap((row) => {
    const result = results.find((each) => each.order_id === row.id)
    return result === undefined ? [] : [{ row, result }]
  })
}

/** `<specimen_number>.pdf`; laboratories write all sorts of signs into their numbers. */
function fileName({ report, order_id: orderId }: ResultRow): string {
  const number = report.specimen_number?.replaceAll(/[^\w.-]+/g, '-') ?? ''
  return `${/\w/.test(number) ? number : orderId}.pdf`
}
