import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { FileStore } from '../../platform/files/file-store.ts'
import type { App } from '../../platform/http/app-types.ts'
import { PDF_RESPONSE, sendPdf } from '../../platform/http/pdf.ts'
import { Uuid } from '../../platform/http/schema-types.ts'
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
import type { ResultsScope } from './results.scope.ts'
import { registerReviewTestRoutes } from './review-tests/review-tests.routes.ts'

export interface ResultRoutesOptions {
  files: FileStore
}

export type ContextOf = (request: FastifyRequest) => ResultsScope

const tags = ['Results']
const OfOrder = Type.Object({ order_id: Uuid })
const OfTransaction = Type.Object({ transaction_id: Uuid })

/** Results of orders and of order transactions, and the queue of those that match none. */
export function registerResultRoutes(app: App, { files }: ResultRoutesOptions): void {
  const contextOf: ContextOf = ({ scope }) => ({ ...scope, files })
  registerOrderResults(app, contextOf)
  registerOrderResultPdf(app, contextOf)
  registerTransactionResults(app, contextOf)
  registerMatchReviewRoutes(app, contextOf)
  registerReviewTestRoutes(app, contextOf)
}

function registerOrderResults(app: App, contextOf: ContextOf): void {
  app.get(
    '/v3/order/:order_id/result',
    {
      schema: {
        tags,
        summary: 'Results of an order',
        description: 'The newest version, partial ones included, or an older one.',
        params: OfOrder,
        querystring: VersionQuery,
        response: { 200: LabResultsRaw },
      },
    },
    (request) =>
      showOrderResults(contextOf(request), request.params.order_id, request.query.version),
  )

  app.get(
    '/v3/order/:order_id/result/version',
    {
      schema: {
        tags,
        summary: 'Versions of the results of an order',
        description:
          'Each report of the laboratory is a version: partial ones, the final one, corrections. Read ' +
          'an older one with `version` of the other calls.',
        params: OfOrder,
        response: { 200: ResultVersions },
      },
    },
    (request) => listResultVersions(contextOf(request), request.params.order_id),
  )

  app.get(
    '/v3/order/:order_id/result/metadata',
    {
      schema: {
        tags,
        summary: 'What the results of an order are of',
        params: OfOrder,
        querystring: VersionQuery,
        response: { 200: LabResultsMetadata },
      },
    },
    (request) =>
      showResultMetadata(contextOf(request), request.params.order_id, request.query.version),
  )
}

function registerOrderResultPdf(app: App, contextOf: ContextOf): void {
  app.get(
    '/v3/order/:order_id/result/pdf',
    {
      schema: {
        tags,
        summary: "The laboratory's report of an order",
        params: OfOrder,
        querystring: VersionQuery,
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) => {
      const { params, query } = request
      return sendPdf(reply, await getResultPdf(contextOf(request), params.order_id, query.version))
    },
  )
}

function registerTransactionResults(app: App, contextOf: ContextOf): void {
  app.get(
    '/v3/order_transaction/:transaction_id/result',
    {
      schema: {
        tags,
        summary: 'Results of all orders of a transaction as one',
        description: 'The newest order wins for each result; what no order delivered is missing.',
        params: OfTransaction,
        response: { 200: LabResultsRaw },
      },
    },
    (request) => showTransactionResults(contextOf(request), request.params.transaction_id),
  )

  app.get(
    '/v3/order_transaction/:transaction_id/result/pdf',
    {
      schema: {
        tags,
        summary: "The laboratory's reports of all orders of a transaction, oldest first",
        params: OfTransaction,
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) =>
      sendPdf(reply, await getTransactionPdf(contextOf(request), request.params.transaction_id)),
  )
}
