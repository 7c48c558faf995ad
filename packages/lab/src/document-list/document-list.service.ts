import { getUserRow } from '@salus/accounts/users'
import { type KeyColumn, KeysetPages, textKey } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant, parseInstant } from '@salus/kernel/time/instants'
import { showLabTests } from '../catalog/index.ts'
import {
  listOrderDocuments,
  listOrdersOfUser,
  type OrderDocument,
  type OrderRow,
} from '../orders/index.ts'
import { isPerhapsOfAnother, listFilesOfUser } from '../reports/index.ts'
import { documentsBeside, listDocumentsOfUser, listNewestOfUser } from '../results/index.ts'
import type { DocumentList, DocumentListQuery, PersonDocument } from './document-list.schema.ts'

/** A time as documents show it. */
const SHOWN_INSTANT: KeyColumn<string> = {
  read: (part) => (typeof part === 'string' && parseInstant(part) ? part : undefined),
  write: (at) => at,
}
const PAGES = new KeysetPages({ created_at: SHOWN_INSTANT, path: textKey() })

/**
 * Returns a page of the documents of a person that can be read now, newest first.
 * @throws AppError 404, and 400 `invalid_cursor`
 */
export async function listDocuments(
  scope: Scope,
  userId: string,
  { type, order_id, limit, next_cursor: cursor }: DocumentListQuery,
): Promise<DocumentList> {
  const user = await getUserRow(scope, userId)
  const orderId = order_id?.toLowerCase()
  const about = ['documents', scope.environment.id, user.id, type, orderId]
  const after = PAGES.read(about, cursor)
  const all = await listAllDocuments(scope, user.id)
  const found = all
    .filter((document) => type === undefined || document.type === type)
    .filter((document) => orderId === undefined || document.order_id === orderId)
    .filter((document) => after === null || compare(document, after) > 0)
  const { page, nextCursor } = PAGES.cut(about, found, limit, (document) => document)
  return { documents: page, next_cursor: nextCursor }
}

type Position = Pick<PersonDocument, 'created_at' | 'path'>

/** Sorts newest first, then by path. */
function compare(one: Position, other: Position): number {
  const byTime = Date.parse(other.created_at) - Date.parse(one.created_at)
  if (byTime !== 0) return byTime
  return one.path < other.path ? -1 : Number(one.path > other.path)
}

async function listAllDocuments(scope: Scope, userId: string): Promise<PersonDocument[]> {
  const [orders, results, ofLaboratories, reports] = await Promise.all([
    listOrdersOfUser(scope, userId),
    listDocumentsOfUser(scope, userId),
    listOfLaboratories(scope, userId),
    listFilesOfUser(scope, userId),
  ])
  const tests = await showLabTests(scope, [...new Set(orders.map((row) => row.lab_test_id))])
  const names = new Map(orders.map((row) => [row.id, tests.get(row.lab_test_id)?.name ?? null]))
  const ofOrders = orders.flatMap((row) =>
    listOrderDocuments(row).map((type) => toOrderDocument(row, type)),
  )
  const ofResults = results.map(({ order_id, version, status, created_at }) =>
    toDocument({
      type: 'result',
      order_id,
      result_version: version,
      result_status: status,
      path: `/v3/order/${order_id}/result/pdf?version=${version}`,
      created_at: formatInstant(created_at),
    }),
  )
  const theirs = reports.filter((job) => !isPerhapsOfAnother(job))
  const ofReports = theirs.flatMap(({ id, files, sealed_file_key: key, created_at }) =>
    (key === null ? [] : files).map(({ content_type }, index) =>
      toDocument({
        type: 'lab_report',
        parsing_job_id: id,
        file_number: index + 1,
        content_type,
        path: `/lab_report/v1/parser/job/${id}/file/${index + 1}`,
        created_at: formatInstant(created_at),
      }),
    ),
  )
  return [...ofOrders, ...ofResults, ...ofLaboratories, ...ofReports]
    .map((document) => ({
      ...document,
      lab_test_name: names.get(document.order_id ?? '') ?? null,
    }))
    .sort(compare)
}

/** Documents of laboratories beside the result PDFs, of the newest version of each order. */
async function listOfLaboratories(scope: Scope, userId: string): Promise<PersonDocument[]> {
  const newest = await listNewestOfUser(scope, userId)
  return newest.flatMap(({ order_id, pdf_file: pdf, report, version, status, created_at }) =>
    documentsBeside(report, order_id, pdf).map(({ id, content_type }) =>
      toDocument({
        type: 'result_document',
        order_id,
        result_version: version,
        result_status: status,
        content_type,
        path: `/v3/order/${order_id}/result/document/${id}?version=${version}`,
        created_at: formatInstant(created_at),
      }),
    ),
  )
}

const PATHS: Readonly<Record<OrderDocument, string>> = {
  requisition: 'requisition/pdf',
  abn: 'abn_pdf',
  collection_instructions: 'collection_instruction_pdf',
}

function toOrderDocument(row: OrderRow, type: OrderDocument): PersonDocument {
  const at = type === 'requisition' ? (row.requisition_at ?? row.created_at) : row.created_at
  const path = `/v3/order/${row.id}/${PATHS[type]}`
  return toDocument({ type, order_id: row.id, path, created_at: formatInstant(at) })
}

const toDocument = (
  document: Pick<PersonDocument, 'type' | 'path' | 'created_at'> & Partial<PersonDocument>,
): PersonDocument => ({
  order_id: null,
  parsing_job_id: null,
  lab_test_name: null,
  result_version: null,
  result_status: null,
  file_number: null,
  content_type: 'application/pdf',
  ...document,
})
