import { once } from 'node:events'
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
import type { Rows } from './rows.ts'

interface BulkUploadRoutesOptions {
  ingest: Ingest
  files: FileStore
  config: { baseUrl: string | undefined; importMaxBytes: number }
}

const FILE_TYPES = [NDJSON, PARQUET, 'application/octet-stream']

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
  app.addContentTypeParser(FILE_TYPES, (_request, payload, done) => done(null, payload))

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
        'x-file-types': FILE_TYPES,
        querystring: BulkQuery,
        response: { 200: BulkResult },
      },
    },
    async (request) => {
      const { scope, query } = request
      const port = { ingest, turns, baseUrl: baseUrlOf(request, config.baseUrl) }
      const body = bodyOf(request)
      const read = (rows: AsyncGenerator<Rows>) => uploadInBulk(scope, port, query, rows)
      return turns.read(async () => {
        if (!(await isParquet(request.headers['content-type'], body))) {
          return read(readNdjson(limitBytes(body, maxBytes)))
        }
        return files.withSpooled(IMPORT_FILES, body, maxBytes, (path) =>
          read(readParquet(path, maxBytes)),
        )
      })
    },
  )
}

/** @throws AppError 415 for a request without a body */
function bodyOf({ body }: FastifyRequest): Readable {
  if (!(body instanceof Readable)) throw NO_BODY
  return body
}

/** Whether a body is Parquet: by its media type, or else by its first bytes. */
async function isParquet(type: string | undefined, body: Readable): Promise<boolean> {
  const named = type?.split(';')[0]?.trim().toLowerCase()
  if (named === NDJSON || named === PARQUET) return named === PARQUET
  let head = Buffer.alloc(0)
  while (head.length < MAGIC.length) {
    const chunk: Buffer | null = body.read()
    if (chunk !== null) head = Buffer.concat([head, chunk])
    else if (body.readableEnded || body.destroyed) break
    else await Promise.race([once(body, 'readable'), once(body, 'end')])
  }
  if (head.length > 0) body.unshift(head)
  return head.toString('latin1', 0, MAGIC.length) === MAGIC
}

const MAGIC = 'PAR1'
