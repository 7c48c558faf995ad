import type { FastifyRequest } from 'fastify'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { baseUrlOf } from '../../../platform/http/base-url.ts'
import { UPLOAD_BODY_LIMIT } from '../../../platform/http/request-body.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { ByUserId, type SampleWriter, UploadResult } from '../../ingest/index.ts'
import type { SummaryWriter } from '../storing/summary-writer.ts'
import { SUMMARY_RESOURCES } from '../summary-tables.registry.ts'
import { SUMMARY_UPLOADS } from './summary-uploads.schema.ts'
import { type SummaryUploadContext, uploadSummaries } from './summary-uploads.service.ts'

export interface SummaryUploadRoutesOptions {
  db: Db
  clickhouse: ClickHouse
  writer: SampleWriter
  summaryWriter: SummaryWriter
  clock: Clock
  config: { baseUrl: string | undefined }
}

/** One upload route for each summary. */
export function registerSummaryUploadRoutes(
  app: App,
  { config, ...stores }: SummaryUploadRoutesOptions,
): void {
  const context = (request: FastifyRequest): SummaryUploadContext => ({
    ...stores,
    environment: request.scope.environment,
    baseUrl: baseUrlOf(request, config.baseUrl),
  })

  for (const resource of SUMMARY_RESOURCES) {
    const { summary, description, body } = SUMMARY_UPLOADS[resource]
    app.post(
      `/v2/summary/${resource}/:user_id`,
      {
        bodyLimit: UPLOAD_BODY_LIMIT,
        schema: {
          tags: ['Ingestion'],
          summary,
          description: `${description} Keys may be spelled in snake or camel case. Bad items are put aside with a reason; the good ones are stored, and durable when the answer comes.`,
          params: ByUserId,
          body,
          response: { 200: UploadResult },
        },
      },
      (request) =>
        uploadSummaries(context(request), request.params.user_id, resource, request.body),
    )
  }
}
