import { Readable } from 'node:stream'
import { Uuid } from '@salus/contracts/schema-types'
import { AppError, badRequest } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  AppendHeaders,
  CreationHeaders,
  DeletionHeaders,
  ImportUpload,
  TUS_EXTENSIONS,
  TUS_VERSION,
  UPLOAD_TYPE,
} from './uploads.schema.ts'
import { appendToUpload, createUpload, getUpload, removeUpload } from './uploads.service.ts'

interface UploadRoutesOptions {
  files: FileStore
  config: { importMaxBytes: number }
}

const tags = ['Imports']
const ByUserId = Type.Object({ user_id: Uuid })
const ByUploadId = Type.Object({ user_id: Uuid, upload_id: Uuid })
const PATH = '/v2/user/:user_id/import/uploads'
const Nothing = Type.Null({ description: 'The response has no body.' })

/**
 * Routes of resumable uploads by the tus protocol 1.0
 * (docs/contract/07-mobile-sync.md#post-v2useruser_idimportuploads). Register them in a context of
 * their own: they accept only bytes of uploads as bodies.
 */
export async function registerUploadRoutes(app: App, options: UploadRoutesOptions): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(UPLOAD_TYPE, (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', requireTusVersion)
  app.addHook('onSend', async (_request, reply) => {
    reply.header('tus-resumable', TUS_VERSION)
  })

  registerCreation(app, options)
  registerState(app, options)
  registerAppending(app, options)
}

function registerState(app: App, { files }: UploadRoutesOptions): void {
  app.get(
    `${PATH}/:upload_id`,
    {
      schema: {
        operationId: 'getImportUpload',
        tags,
        summary: 'Get a resumable upload',
        description:
          'Returns the number of stored bytes, from which the upload continues. HEAD returns it in the headers of the tus protocol.',
        params: ByUploadId,
        response: { 200: ImportUpload },
      },
    },
    async ({ scope, params }, reply) => {
      const upload = await getUpload(scope, files, params.user_id, params.upload_id)
      setTusHeaders(reply, upload).header('upload-length', String(upload.length))
      if (upload.metadata !== null) reply.header('upload-metadata', upload.metadata)
      return upload
    },
  )

  app.delete(
    `${PATH}/:upload_id`,
    {
      schema: {
        operationId: 'deleteImportUpload',
        tags,
        summary: 'Delete a resumable upload',
        description: 'Removes the upload and the bytes that the server has of it.',
        params: ByUploadId,
        headers: DeletionHeaders,
        response: { 204: Nothing },
      },
    },
    async ({ scope, params }, reply) => {
      await removeUpload(scope, files, params.user_id, params.upload_id)
      return reply.code(204).send(null)
    },
  )
}

function registerAppending(app: App, { files, config }: UploadRoutesOptions): void {
  app.patch(
    `${PATH}/:upload_id`,
    {
      bodyLimit: config.importMaxBytes,
      schema: {
        operationId: 'appendToImportUpload',
        tags,
        summary: 'Continue a resumable upload',
        description:
          'Stores the body behind the bytes that the server has. What arrives before the connection breaks is stored as well.',
        'x-file-types': [UPLOAD_TYPE],
        params: ByUploadId,
        headers: AppendHeaders,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const { user_id: userId, upload_id: uploadId } = request.params
      const content = bytesOf(request)
      const offset = request.headers['upload-offset']
      const ids = { userId, uploadId }
      const upload = await appendToUpload(request.scope, files, ids, offset, content)
      return setTusHeaders(reply, upload).code(204).send(null)
    },
  )
}

function registerCreation(app: App, { files, config }: UploadRoutesOptions): void {
  const maxBytes = config.importMaxBytes
  app.options(PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('tus-version', TUS_VERSION)
      .header('tus-extension', TUS_EXTENSIONS)
      .header('tus-max-size', String(maxBytes))
      .code(204)
      .send(),
  )

  app.post(
    PATH,
    {
      bodyLimit: maxBytes,
      schema: {
        operationId: 'createImportUpload',
        tags,
        summary: 'Create a resumable upload',
        description:
          'Creates an upload by the tus protocol 1.0 for a file to import. The body may have the first bytes of the file. An upload that does not grow for 24 hours is removed.',
        'x-file-types': [UPLOAD_TYPE],
        'x-file-optional': true,
        params: ByUserId,
        headers: CreationHeaders,
        response: { 201: ImportUpload },
      },
    },
    async (request, reply) => {
      const { scope, params, headers } = request
      const userId = params.user_id
      const created = await createUpload(scope, maxBytes, userId, {
        bytes: headers['upload-length'],
        metadata: headers['upload-metadata'],
      })
      // Relative, so that it is right behind every proxy; also of an error of the first bytes.
      const path = request.url.split('?')[0] ?? ''
      reply.header('location', `${path.endsWith('/') ? '' : 'uploads/'}${created.id}`)
      if (headers['content-type'] === undefined)
        return setTusHeaders(reply.code(201), created).send(created)
      const ids = { userId, uploadId: created.id }
      const upload = await appendToUpload(scope, files, ids, 0, bytesOf(request))
      return setTusHeaders(reply.code(201), upload).send(upload)
    },
  )
}

/** Sets the headers of the protocol for the state of an upload. */
export function setTusHeaders(
  reply: FastifyReply,
  { offset, expires_at: at }: ImportUpload,
): FastifyReply {
  return reply
    .header('upload-offset', String(offset))
    .header('upload-expires', new Date(at).toUTCString())
}

const OTHER_VERSION = new AppError(
  412,
  'unsupported_tus_version',
  `Send the header Tus-Resumable: ${TUS_VERSION}.`,
)
/** Headers of extensions that are not announced: they would change what a request means. */
const OTHER_EXTENSIONS = ['upload-checksum', 'upload-defer-length', 'upload-concat']

/** An onRequest hook: requires the version of the protocol, and none of its extensions. */
export async function requireTusVersion({ method, headers }: FastifyRequest, reply: FastifyReply) {
  // GET and OPTIONS are not requests of the protocol, and HEAD may be one about the GET.
  if (method === 'GET' || method === 'OPTIONS') return
  const version = headers['tus-resumable']
  if (version !== TUS_VERSION && (method !== 'HEAD' || version !== undefined)) {
    reply.header('tus-version', TUS_VERSION)
    throw OTHER_VERSION
  }
  if (OTHER_EXTENSIONS.some((name) => headers[name] !== undefined)) {
    const message = 'The server has no checksums, deferred lengths or concatenation.'
    throw badRequest('unsupported_tus_extension', message)
  }
}

/** Returns the body; an empty one when the request has none. @throws AppError 415 without a type */
function bytesOf({ headers, body }: FastifyRequest): Readable {
  if (headers['content-type'] === undefined) {
    throw new AppError(415, 'unsupported_media_type', `Send the bytes as ${UPLOAD_TYPE}.`)
  }
  return body instanceof Readable ? body : Readable.from([])
}
