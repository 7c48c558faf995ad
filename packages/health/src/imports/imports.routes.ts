import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { Nullable, Uuid } from '@salus/contracts/schema-types'
import { AppError, badRequest } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ImportJob, ImportJobList } from './imports.schema.ts'
import { getImportJob, listImportJobs } from './imports.service.ts'
import { importUpload, receiveAppleHealth } from './receive-import.ts'
import { registerUploadRoutes } from './uploads/uploads.routes.ts'

interface ImportRoutesOptions {
  files: FileStore
  config: { importMaxBytes: number; baseUrl: string | undefined }
}

const tags = ['Imports']
const ByUserId = Type.Object({ user_id: Uuid })

/** Media types under which clients send a file as the whole body. */
const FILE_TYPES = [
  'application/zip',
  'application/x-zip-compressed',
  'application/octet-stream',
  'application/xml',
  'text/xml',
]

/**
 * Routes that import Apple Health exports as jobs and return the jobs. Register it in a context of
 * its own: it removes the parser of JSON bodies from it.
 */
export async function registerImportRoutes(app: App, options: ImportRoutesOptions): Promise<void> {
  const { files, config } = options
  const maxBytes = config.importMaxBytes
  // At its own limit the form parser truncates a file silently, so that limit is above ours. Fields
  // before the file are kept in memory, and none is used.
  const limits = { fileSize: maxBytes + 1, files: 1, fields: 8, fieldSize: 1024, headerPairs: 32 }
  await app.register(multipart, { limits })
  // The body is a file of any size: it is passed on as a stream, never collected or parsed.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(FILE_TYPES, (_request, payload, done) => done(null, payload))

  await app.register((uploads: App) => registerUploadRoutes(uploads, options))

  app.post(
    '/v2/user/:user_id/import/apple_health',
    {
      bodyLimit: maxBytes,
      schema: {
        operationId: 'importAppleHealth',
        tags,
        summary: 'Import an Apple Health export',
        description:
          'Creates a job that imports the file. Send export.zip or export.xml as the body, or as the file of a form, or name a finished upload. Get the job to follow the import.',
        'x-file-types': [...FILE_TYPES, 'multipart/form-data'],
        'x-file-optional': true,
        params: ByUserId,
        querystring: Type.Object({
          upload_id: Type.Optional(
            Type.String({
              format: 'uuid',
              description:
                'Finished upload to import, instead of a body. The job has the id of the upload.',
            }),
          ),
          remove_missing: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                'Removes data that earlier imports brought and this export lacks. Only the types and the time range of this export are affected.',
            }),
          ),
        }),
        response: { 202: ImportJob },
      },
    },
    async (request, reply) => {
      const { scope, params, query } = request
      const options = { removesMissing: query.remove_missing }
      const port = { files, maxBytes, baseUrl: baseUrlOf(request, config.baseUrl) }
      if (query.upload_id === undefined) {
        const content = await fileOf(request)
        const job = await receiveAppleHealth(scope, port, params.user_id, content, options)
        return reply.code(202).send(job)
      }
      refuseBody(request)
      const job = await importUpload(scope, port, params.user_id, query.upload_id, options)
      return reply.code(202).send(job)
    },
  )

  app.get(
    '/v2/user/:user_id/import',
    {
      schema: {
        operationId: 'listImports',
        tags,
        summary: 'List the imports of a user',
        description: 'Returns the import jobs of the user with their progress, newest first.',
        params: ByUserId,
        querystring: Type.Object({ next_cursor: Type.Optional(Nullable(Type.String())) }),
        response: { 200: ImportJobList },
      },
    },
    ({ scope, params, query }) => listImportJobs(scope, params.user_id, query.next_cursor),
  )

  app.get(
    '/v2/user/:user_id/import/:job_id',
    {
      schema: {
        operationId: 'getImport',
        tags,
        summary: 'Get an import',
        description:
          'Returns the progress of the job. Once the job has ended, the import summary counts what was stored, quarantined and not supported.',
        params: Type.Object({ user_id: Uuid, job_id: Uuid }),
        response: { 200: ImportJob },
      },
    },
    ({ scope, params }) => getImportJob(scope, params.user_id, params.job_id),
  )
}

const NOT_A_FILE = new AppError(
  415,
  'unsupported_media_type',
  'Send the file as application/zip, application/xml or a form.',
)

/** @throws AppError 400 when an upload is named, and a file sent as well */
function refuseBody({ headers }: FastifyRequest): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) {
    return
  }
  throw badRequest('upload_and_body', 'Send either the file or upload_id.')
}

/** Returns the uploaded file, from a form or from the body itself. */
async function fileOf(request: FastifyRequest): Promise<Readable> {
  if (!request.isMultipart()) {
    if (request.body === undefined || request.body === null) {
      throw badRequest('empty_file', 'The request has no file.')
    }
    if (request.body instanceof Readable) return request.body
    throw NOT_A_FILE
  }
  const part = await request.file()
  if (part === undefined) throw badRequest('empty_file', 'The form has no file.')
  return part.file
}
