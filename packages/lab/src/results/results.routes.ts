import { Uuid } from '@salus/contracts/schema-types'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { PDF_RESPONSE, sendPdf } from '@salus/kernel/http/pdf'
import Type from 'typebox'
import { registerCriticalTaskRoutes } from './critical-tasks/critical-tasks.routes.ts'
import { registerMatchReviewRoutes } from './match-review/match-review.routes.ts'
import {
  getResultDocument,
  getResultPdf,
  getTransactionPdf,
  listResultVersions,
  showOrderResults,
  showResultMetadata,
  showTransactionResults,
} from './reading/show-results.service.ts'
import {
  LabResultsMetadata,
  LabResultsRaw,
  ResultVersions,
  VersionQuery,
} from './results.schema.ts'
import { registerReviewTestRoutes } from './review-tests/review-tests.routes.ts'

const tags = ['Results']
const OfOrder = Type.Object({ order_id: Uuid })
const OfTransaction = Type.Object({ transaction_id: Uuid })

/** Registers the routes for results of orders and transactions, and for unmatched results. */
export function registerResultRoutes(app: App, { files }: { files: FileStore }): void {
  registerOrderResults(app)
  registerOrderResultPdf(app, files)
  registerResultDocuments(app, files)
  registerTransactionResults(app, files)
  registerCriticalTaskRoutes(app)
  registerMatchReviewRoutes(app, files)
  registerReviewTestRoutes(app)
}

function registerOrderResults(app: App): void {
  app.get(
    '/v3/order/:order_id/result',
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'getOrderResult',
        tags,
        summary: 'Read the results of an order',
        description:
          'Returns the newest version of the results, which may be partial, or an older version.',
        params: OfOrder,
        querystring: VersionQuery,
        response: { 200: LabResultsRaw },
      },
    },
    ({ scope, params, query }) => showOrderResults(scope, params.order_id, query.version),
  )

  app.get(
    '/v3/order/:order_id/result/version',
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'listOrderResultVersions',
        tags,
        summary: 'List the versions of the results of an order',
        description:
          'Returns the versions of the results, one for each result message of the laboratory: partial, ' +
          'final or corrected. Read an older version with the parameter `version` of the other operations.',
        params: OfOrder,
        response: { 200: ResultVersions },
      },
    },
    ({ scope, params }) => listResultVersions(scope, params.order_id),
  )

  app.get(
    '/v3/order/:order_id/result/metadata',
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'getOrderResultMetadata',
        tags,
        summary: 'Read the metadata of the results of an order',
        description:
          'Returns the patient, laboratory, sample and dates of the results, without the values.',
        params: OfOrder,
        querystring: VersionQuery,
        response: { 200: LabResultsMetadata },
      },
    },
    ({ scope, params, query }) => showResultMetadata(scope, params.order_id, query.version),
  )
}

function registerOrderResultPdf(app: App, files: FileStore): void {
  app.get(
    '/v3/order/:order_id/result/pdf',
    {
      schema: {
        operationId: 'getOrderResultReport',
        tags,
        summary: 'Read the result document of an order',
        description:
          'Returns the document that the laboratory sent, or one rendered from its results.',
        params: OfOrder,
        querystring: VersionQuery,
        response: PDF_RESPONSE,
      },
    },
    async ({ scope, params, query }, reply) => {
      const pdf = await getResultPdf({ ...scope, files }, params.order_id, query.version)
      return sendPdf(reply, pdf)
    },
  )
}

const Binary = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

/** Content types that browsers show without running anything. Others are saved. */
const SHOWN_INLINE = ['application/pdf', 'image/png', 'image/jpeg', 'image/gif']

function registerResultDocuments(app: App, files: FileStore): void {
  app.get(
    '/v3/order/:order_id/result/document/:document_id',
    {
      schema: {
        operationId: 'getOrderResultDocument',
        tags,
        summary: 'Read a document of the results of an order',
        description:
          'Returns one of the `documents` of the results, byte for byte as the laboratory sent it, with its ' +
          'content type. Images and PDFs may be shown in place; all others are to be saved.',
        params: Type.Object({ ...OfOrder.properties, document_id: Uuid }),
        querystring: VersionQuery,
        response: {
          200: {
            description: 'The document.',
            content: {
              'application/pdf': { schema: Binary },
              'application/octet-stream': { schema: Binary },
              'image/png': { schema: Binary },
              'image/jpeg': { schema: Binary },
              'text/plain': { schema: Binary },
            },
          },
        },
      },
    },
    async ({ scope, params, query }, reply) => {
      const wanted = { orderId: params.order_id, documentId: params.document_id }
      const file = await getResultDocument({ ...scope, files }, wanted, query.version)
      const way = SHOWN_INLINE.includes(file.contentType) ? 'inline' : 'attachment'
      reply
        .type(file.contentType)
        .header('content-disposition', `${way}; filename="${file.name}"`)
        .header('cache-control', 'private, no-store')
      return file.content
    },
  )
}

function registerTransactionResults(app: App, files: FileStore): void {
  app.get(
    '/v3/order_transaction/:transaction_id/result',
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'getOrderTransactionResult',
        tags,
        summary: 'Read the combined results of an order transaction',
        description:
          'Returns the results of all orders of the transaction. The newest order provides each result; a result that no order delivered is listed as missing.',
        params: OfTransaction,
        response: { 200: LabResultsRaw },
      },
    },
    ({ scope, params }) => showTransactionResults(scope, params.transaction_id),
  )

  app.get(
    '/v3/order_transaction/:transaction_id/result/pdf',
    {
      schema: {
        operationId: 'getOrderTransactionResultReport',
        tags,
        summary: 'Read the result documents of an order transaction',
        description:
          'Returns the result documents of all orders of the transaction, joined in one PDF, oldest first.',
        params: OfTransaction,
        response: PDF_RESPONSE,
      },
    },
    async ({ scope, params }, reply) =>
      sendPdf(reply, await getTransactionPdf({ ...scope, files }, params.transaction_id)),
  )
}
