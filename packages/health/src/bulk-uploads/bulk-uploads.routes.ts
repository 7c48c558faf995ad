import { Readable } from 'node:stream'
import { AppError } from '@salus/kernel/errors'
import { type FileStore, limitBytes } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import { IMPORT_FILES } from '../imports/index.ts'
import type { Ingest } from '../ingest/index.ts'
import { BulkQuery, BulkResult, NDJSON, PARQUET } from './bulk-uploads.schema.ts'
import { uploadInBulk } from './bulk-uploads.service.ts'
import { readParquet } from './parquet/read-parquet.ts'
import { ProcessingTurns } from './processing-turns.ts'
import { readNdjson } from './read-ndjson.ts'

interface BulkUploadRoutesOptions {
  ingest: Ingest
  files: FileStore
  config: { baseUrl: string | undefined; importMaxBytes: number }
}

const NO_BODY = new AppError(
  415,
  'unsupported_media_type',
  `Send the rows as ${NDJSON} or ${PARQUET}.`,
)

/**
 * Registers the bulk upload (docs/contract/07-mobile-sync.md#post-v2timeseriesbulk). Register it in
 * a context of its own: its bodies are streams that nothing parses before.
 */
export async function registerBulkUploadRoutes(
  app: App,
  { ingest, files, config }: BulkUploadRoutesOptions,
): Promise<void> {
  const maxBytes = config.importMaxBytes
  const turns = new ProcessingTurns()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser([NDJSON, PARQUET], (_request, payload, done) => done(null, payload))

  app.post(
    '/v2/timeseries/bulk',
    {
      bodyLimit: maxBytes,
      config: { takesZstd: true },
      schema: {
        operationId: 'uploadBulkSamples',
        tags: ['Ingestion'],
        summary: 'Upload samples of many users',
        description:
          'Stores samples of any number of users and resources from one body, which is read as a stream: newline-delimited JSON with a sample a line, or a Parquet file with a sample a row. A row has the fields of an item of an upload, and `user_id` or `client_user_id`, `resource`, and optionally `time_zone` and `timezone_offset`. The rules are those of an upload of each user and resource. Rows that belong to no user or resource are rejected, invalid ones are quarantined, and all others are stored durably before the response is sent. Sending the same body again changes nothing.',
        'x-file-types': [NDJSON, PARQUET],
        querystring: BulkQuery,
        response: { 200: BulkResult },
      },
    },
    (request) => {
      const { scope, query } = request
      const port = { ingest, turns, baseUrl: baseUrlOf(request, config.baseUrl) }
      const { type, body } = bodyOf(request)
      return turns.read(() => {
        const read = (rows: Parameters<typeof uploadInBulk>[3]) =>
          uploadInBulk(scope, port, query, rows)
        if (type === NDJSON) return read(readNdjson(limitBytes(body, maxBytes)))
        return files.withSpooled(IMPORT_FILES, body, maxBytes, (path) =>
          read(readParquet(path, maxBytes)),
        )
      })
    },
  )
}

/** @throws AppError 415 for a request without a body */
function bodyOf({ headers, body }: FastifyRequest): { type: string; body: Readable } {
  if (!(body instanceof Readable)) throw NO_BODY
  return { type: headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '', body }
}
