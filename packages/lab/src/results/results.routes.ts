import { Uuid } from '@salus/contracts/schema-types'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { PDF_RESPONSE, sendPdf } from '@salus/kernel/http/pdf'
import Type from 'typebox'
import { registerMatchReviewRoutes } from './match-review/match-review.routes.ts'
import {
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

/** Results of orders and of order transactions, and the queue of those that match none. */
export function registerResultRoutes(app: App, { files }: { files: FileStore }): void {
  registerOrderResults(app)
  registerOrderResultPdf(app, files)
  registerTransactionResults(app, files)
  registerMatchReviewRoutes(app, files)
  registerReviewTestRoutes(app)
}

function registerOrderResults(app: App): void {
  app.get(
    '/v3/order/:order_id/result',
    {
      schema: {
        operationId: 'getOrderResult',
        tags,
        summary: 'Results of an order',
        description: 'The newest version, partial ones included, or an older one.',
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
      schema: {
        operationId: 'listOrderResultVersions',
        tags,
        summary: 'Versions of the results of an order',
        description:
          'Each report of the laboratory is a version: partial ones, the final one, corrections. Read ' +
          'an older one with `version` of the other calls.',
        params: OfOrder,
        response: { 200: ResultVersions },
      },
    },
    ({ scope, params }) => listResultVersions(scope, params.order_id),
  )

  app.get(
    '/v3/order/:order_id/result/metadata',
    {
      schema: {
        operationId: 'getOrderResultMetadata',
        tags,
        summary: 'What the results of an order are of',
        description: 'Patient, laboratory, sample and dates, without the values.',
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
        summary: "The laboratory's report of an order",
        description: 'As the laboratory sent it, or made of its results.',
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

function registerTransactionResults(app: App, files: FileStore): void {
  app.get(
    '/v3/order_transaction/:transaction_id/result',
    {
      schema: {
        operationId: 'getOrderTransactionResult',
        tags,
        summary: 'Results of all orders of a transaction as one',
        description: 'The newest order wins for each result; what no order delivered is missing.',
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
        summary: "The laboratory's reports of all orders of a transaction, oldest first",
        description: 'One document of all reports.',
        params: OfTransaction,
        response: PDF_RESPONSE,
      },
    },
    async ({ scope, params }, reply) =>
      sendPdf(reply, await getTransactionPdf({ ...scope, files }, params.transaction_id)),
  )
}
