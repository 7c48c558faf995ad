import { SERIES_BY_UPLOAD_NAME } from '@salus/contracts/series'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { UPLOAD_BODY_LIMIT } from '@salus/kernel/http/request-body'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  ByUserId,
  QuarantineList,
  QuarantineQuery,
  UploadResult,
  uploadBody,
} from './ingest.schema.ts'
import type { Ingest } from './ingest.service.ts'
import { listQuarantinedItems } from './quarantine.service.ts'
import { readUpload } from './reading/read-upload.ts'
import { type UploadPort, uploadSamples } from './upload.service.ts'
import { isReadInOnePass } from './upload-parser.ts'

export interface UploadRoutesOptions {
  ingest: Ingest
  config: { baseUrl: string | undefined }
}

const tags = ['Ingestion']

/** Registers an upload route for each name that clients use, and the list of quarantined items. */
export function registerIngestRoutes(app: App, { ingest, config }: UploadRoutesOptions): void {
  const portOf = (request: FastifyRequest): UploadPort => ({
    ingest,
    baseUrl: baseUrlOf(request, config.baseUrl),
  })

  for (const [name, series] of SERIES_BY_UPLOAD_NAME) {
    app.post(
      `/v2/timeseries/:user_id/${name}`,
      {
        bodyLimit: UPLOAD_BODY_LIMIT,
        config: { appAccess: 'path', ...(isReadInOnePass(series) && { readJson: readUpload }) },
        schema: {
          tags,
          summary: `Upload samples of ${series.name}`,
          description: `Stores samples in ${series.unit}. ${series.meaning} Invalid items are quarantined with a reason; the valid ones are stored durably before the response is sent.`,
          params: ByUserId,
          body: uploadBody(series),
          response: { 200: UploadResult },
        },
      },
      (request) =>
        uploadSamples(request.scope, portOf(request), request.params.user_id, series, request.body),
    )
  }

  app.get(
    '/v2/user/:user_id/put_aside',
    {
      schema: {
        operationId: 'listPutAsideItems',
        tags,
        summary: 'List the quarantined items of a user',
        description:
          'Returns items of uploads that were not stored, newest first, each as it was received and with the reason.',
        params: Type.Object(ByUserId.properties),
        querystring: QuarantineQuery,
        response: { 200: QuarantineList },
      },
    },
    ({ scope, params, query }) => listQuarantinedItems(scope, params.user_id, query),
  )
}
