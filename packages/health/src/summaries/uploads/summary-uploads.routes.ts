import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { UPLOAD_BODY_LIMIT } from '@salus/kernel/http/request-body'
import type { FastifyRequest } from 'fastify'
import {
  ByUserId,
  type UploadPort,
  UploadResult,
  type UploadRoutesOptions,
} from '../../ingest/index.ts'
import { SUMMARY_RESOURCES } from '../summary-tables.registry.ts'
import { SUMMARY_UPLOADS } from './summary-uploads.schema.ts'
import { uploadSummaries } from './summary-uploads.service.ts'
import { UPLOAD_EXAMPLES } from './upload-examples.registry.ts'

/** Registers one upload route for each summary. */
export function registerSummaryUploadRoutes(
  app: App,
  { ingest, config }: UploadRoutesOptions,
): void {
  const portOf = (request: FastifyRequest): UploadPort => ({
    ingest,
    baseUrl: baseUrlOf(request, config.baseUrl),
  })

  for (const resource of SUMMARY_RESOURCES) {
    const { operationId, summary, description, body } = SUMMARY_UPLOADS[resource]
    app.post(
      `/v2/summary/${resource}/:user_id`,
      {
        bodyLimit: UPLOAD_BODY_LIMIT,
        config: { appAccess: 'path' },
        schema: {
          operationId,
          tags: ['Ingestion'],
          summary,
          description: `${description} Keys are in snake case or camel case. Invalid items are quarantined with a reason; the valid ones are stored durably before the response is sent.`,
          params: ByUserId,
          body,
          'x-body-example': UPLOAD_EXAMPLES[resource],
          response: { 200: UploadResult },
        },
      },
      (request) =>
        uploadSummaries(
          request.scope,
          portOf(request),
          request.params.user_id,
          resource,
          request.body,
        ),
    )
  }
}
