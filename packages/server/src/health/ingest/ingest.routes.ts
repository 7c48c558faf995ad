import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import type { App } from '../../platform/http/app-types.ts'
import { baseUrlOf } from '../../platform/http/base-url.ts'
import { UPLOAD_BODY_LIMIT } from '../../platform/http/request-body.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { SERIES_BY_UPLOAD_NAME } from '../series/index.ts'
import { ByUserId, PutAsideList, PutAsideQuery, UploadResult, uploadBody } from './ingest.schema.ts'
import { listItemsPutAside, uploadSamples } from './ingest.service.ts'
import type { SampleWriter } from './sample-writer.ts'
import type { IngestContext } from './upload.service.ts'

export interface IngestRoutesOptions {
  db: Db
  clickhouse: ClickHouse
  writer: SampleWriter
  clock: Clock
  config: { baseUrl: string | undefined }
}

const tags = ['Ingestion']

/** One upload route for each name that clients use, and the list of items put aside. */
export function registerIngestRoutes(app: App, { config, ...stores }: IngestRoutesOptions): void {
  const context = (request: FastifyRequest): IngestContext => ({
    ...stores,
    environment: request.scope.environment,
    baseUrl: baseUrlOf(request, config.baseUrl),
  })

  for (const [name, series] of SERIES_BY_UPLOAD_NAME) {
    app.post(
      `/v2/timeseries/:user_id/${name}`,
      {
        bodyLimit: UPLOAD_BODY_LIMIT,
        schema: {
          tags,
          summary: `Upload samples of ${series.name}`,
          description: `${series.meaning} Stored in ${series.unit}. Bad items are put aside with a reason; the good ones are stored, and durable when the answer comes.`,
          params: ByUserId,
          body: uploadBody(series),
          response: { 200: UploadResult },
        },
      },
      (request) => uploadSamples(context(request), request.params.user_id, series, request.body),
    )
  }

  app.get(
    '/v2/user/:user_id/put_aside',
    {
      schema: {
        tags,
        summary: 'Items that could not be stored',
        params: Type.Object(ByUserId.properties),
        querystring: PutAsideQuery,
        response: { 200: PutAsideList },
      },
    },
    (request) => listItemsPutAside(context(request), request.params.user_id, request.query),
  )
}
