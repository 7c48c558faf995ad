import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { LinkContext } from '../link.context.ts'
import * as schema from './bulk.schema.ts'
import * as bulk from './bulk.service.ts'

const tags = ['Connections']

/** docs/contract/03-link.md#bulk-operations */
export function registerBulkRoutes(app: App, context: LinkContext): void {
  registerHandingOver(app, context)
  registerPullControl(app, context)
  app.get(
    '/v2/link/bulk_op',
    {
      schema: {
        operationId: 'listBulkOperations',
        tags,
        summary: 'List bulk operations',
        description:
          'Returns imports and historical pulls of many users with their progress, newest first.',
        querystring: schema.BulkOperationQuery,
        response: { 200: schema.BulkOperations },
      },
    },
    (request) => {
      bulk.requireBulkOperations(context)
      return bulk.listOperations(request.scope, request.query)
    },
  )
}

function registerHandingOver(app: App, context: LinkContext): void {
  app.post(
    '/v2/link/bulk_import',
    {
      schema: {
        operationId: 'importConnections',
        tags,
        summary: 'Import connections',
        description:
          'Creates connections from tokens that another service obtained. Unknown users count as failed.',
        body: schema.BulkImport,
        response: { 200: schema.BulkImportResult, 202: schema.BulkImportResult },
      },
    },
    async (request, reply) => {
      bulk.requireBulkOperations(context, request.body.provider)
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const result = await bulk.importConnections(request.scope, context, request.body, baseUrl)
      return reply.code(result.isDone ? 200 : 202).send(result.body)
    },
  )
  app.post(
    '/v2/link/bulk_export',
    {
      schema: {
        operationId: 'exportConnections',
        tags,
        summary: 'Export connections',
        description:
          'Returns connections with their tokens. Pause the connections first, so that the tokens are not refreshed meanwhile.',
        body: schema.BulkExport,
        response: { 200: schema.BulkExportPage },
      },
    },
    (request) => {
      bulk.requireBulkOperations(context, request.body.provider)
      return bulk.exportConnections(request.scope, context, request.body)
    },
  )
}

function registerPullControl(app: App, context: LinkContext): void {
  app.post(
    '/v2/link/bulk_pause',
    {
      schema: {
        operationId: 'pauseConnections',
        tags,
        summary: 'Pause connections',
        description:
          'Stops requests to the provider until the user connects again or the connection is imported.',
        body: schema.BulkPause,
        response: { 200: schema.Nothing },
      },
    },
    async (request) => {
      bulk.requireBulkOperations(context, request.body.provider)
      await bulk.pauseBulkConnections(request.scope, request.body)
      return {}
    },
  )
  app.post(
    '/v2/link/bulk_trigger_historical_pull',
    {
      schema: {
        operationId: 'triggerHistoricalPulls',
        tags,
        summary: 'Trigger historical pulls',
        description:
          'Pulls the history of the users again, at the rate that the provider allows. Users without a connection are skipped.',
        body: schema.BulkTrigger,
        response: { 200: schema.Nothing, 202: schema.Nothing },
      },
    },
    async (request, reply) => {
      bulk.requireBulkOperations(context, request.body.provider)
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const result = await bulk.triggerHistoricalPulls(request.scope, request.body, baseUrl)
      return reply.code(result.isDone ? 200 : 202).send(result.body)
    },
  )
}
