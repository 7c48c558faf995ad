import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import { Uuid } from '@salus/contracts/schema-types'
import { AppError, badRequest } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { registerAddressRoutes } from './addresses/addresses.routes.ts'
import { registerJobRoutes } from './import-jobs.routes.ts'
import { ImportOptions } from './import-options.ts'
import { ImportJob } from './imports.schema.ts'
import {
  type ImportPort,
  type ImportRequest,
  importUpload,
  receiveImport,
} from './receive-import.ts'
import { registerTemplateRoutes } from './templates/templates.routes.ts'
import { registerUploadRoutes } from './uploads/uploads.routes.ts'

interface ImportRoutesOptions {
  files: FileStore
  config: { importMaxBytes: number; baseUrl: string | undefined }
}

const tags = ['Imports']
const ByUserId = Type.Object({ user_id: Uuid })
const UploadId = Type.Optional(
  Type.String({
    format: 'uuid',
    description: 'Finished upload to import, instead of a body. The job has the id of the upload.',
  }),
)

/** Media types under which clients send a file as the whole body. */
const FILE_TYPES = [
  'application/zip',
  'application/x-zip-compressed',
  'application/octet-stream',
  'application/xml',
  'text/xml',
  'text/csv',
  'text/plain',
  'application/json',
  'application/gzip',
  'application/gpx+xml',
  'application/vnd.garmin.tcx+xml',
  'application/vnd.ant.fit',
  'application/vnd.sqlite3',
]

/** Routes that import files as jobs, and return formats and jobs. */
export async function registerImportRoutes(app: App, options: ImportRoutesOptions): Promise<void> {
  await app.register(async (uploads) => registerFileRoutes(uploads as App, options))
  registerJobRoutes(app, options.config)
  registerTemplateRoutes(app)
  registerAddressRoutes(app, options.config)
}

/**
 * Routes with a file as their body. They have a context of their own, in which no JSON body is
 * parsed.
 */
async function registerFileRoutes(app: App, options: ImportRoutesOptions): Promise<void> {
  const { files, config } = options
  const maxBytes = config.importMaxBytes
  // At its own limit the form parser truncates a file silently, so that limit is above ours. Fields
  // before the file are kept in memory, and none is used.
  const limits = { fileSize: maxBytes + 1, files: 1, fields: 8, fieldSize: 1024, headerPairs: 32 }
  await app.register(multipart, { limits })
  // The body is a file of any size: it is passed on as a stream, never collected or parsed.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser(FILE_TYPES, (_request, payload, done) => done(null, payload))
  const portOf = (request: FastifyRequest) => ({
    ...{ files, maxBytes, baseUrl: baseUrlOf(request, config.baseUrl) },
  })
  await app.register((uploads: App) => registerUploadRoutes(uploads, options))
  registerFileRoute(app, maxBytes, portOf)
  registerAppleHealthRoute(app, maxBytes, portOf)
}

type PortOf = (request: FastifyRequest) => ImportPort

function registerFileRoute(app: App, maxBytes: number, portOf: PortOf): void {
  app.post(
    '/v2/user/:user_id/import',
    {
      bodyLimit: maxBytes,
      schema: {
        operationId: 'importFile',
        tags,
        summary: 'Import a file',
        description:
          'Creates a job that imports a file which a person exported from an app or a device. Send the file as the body, or as the file of a form, or name a finished upload. Its format is recognized by its content, unless `format` names it. Get the job to follow the import; a job with the status `needs_options` waits for the options in `questions`.',
        'x-file-types': [...FILE_TYPES, 'multipart/form-data'],
        'x-file-optional': true,
        params: ByUserId,
        querystring: Type.Object({
          upload_id: UploadId,
          format: Type.Optional(Type.String({ maxLength: 64, description: 'Slug of the format.' })),
          ...ImportOptions.properties,
        }),
        response: { 202: ImportJob },
      },
    },
    async (request, reply) => {
      const { upload_id, format, ...options } = request.query
      const job = await takeFile(request, portOf(request), upload_id, { format, options })
      return reply.code(202).send(job)
    },
  )
}

function registerAppleHealthRoute(app: App, maxBytes: number, portOf: PortOf): void {
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
          upload_id: UploadId,
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
      const { upload_id, remove_missing } = request.query
      const wanted = { format: 'apple_health', options: remove_missing ? { remove_missing } : {} }
      const job = await takeFile(request, portOf(request), upload_id, wanted)
      return reply.code(202).send(job)
    },
  )
}

const NOT_A_FILE = new AppError(
  415,
  'unsupported_media_type',
  'Send the file as application/octet-stream or a form.',
)

/** Creates a job for the file of a request, or for an upload that it names instead. */
async function takeFile(
  request: FastifyRequest,
  port: ImportPort,
  uploadId: string | undefined,
  wanted: ImportRequest,
): Promise<ImportJob> {
  const { user_id: userId } = request.params as { user_id: string }
  if (uploadId === undefined) {
    return receiveImport(request.scope, port, userId, await fileOf(request), wanted)
  }
  refuseBody(request)
  return importUpload(request.scope, port, userId, uploadId, wanted)
}

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
