import { Readable } from 'node:stream'
import { Uuid } from '@salus/contracts/schema-types'
import {
  AppendHeaders,
  appendToUpload,
  CreationHeaders,
  createUpload,
  getUpload,
  ImportJob,
  ImportJobList,
  ImportUpload,
  importUpload,
  listImportJobs,
  requireTusVersion,
  setTusHeaders,
  TUS_VERSION,
  UPLOAD_TYPE,
} from '@salus/health/imports'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import { PortalImport } from './portal.schema.ts'

const tags = ['Portal']
const config = { portalAccess: 'person' } as const
const UPLOADS = '/me/import/uploads'
const ByUploadId = Type.Object({ upload_id: Uuid })

interface FilesContext {
  files: FileStore
  config: { baseUrl: string | undefined; importMaxBytes: number }
}

/** Registers imports of files for the person of the session, by resumable uploads. */
export async function registerPortalFileRoutes(app: App, context: FilesContext): Promise<void> {
  registerImports(app, context)
  await app.register(async (uploads: App) => {
    // Bodies are bytes of files, which no parser reads.
    uploads.removeAllContentTypeParsers()
    uploads.addContentTypeParser(UPLOAD_TYPE, (_request, payload, done) => done(null, payload))
    uploads.addHook('onRequest', requireTusVersion)
    uploads.addHook('onSend', async (_request, reply) => {
      reply.header('tus-resumable', TUS_VERSION)
    })
    registerCreation(uploads, context.config.importMaxBytes)
    registerContinuation(uploads, context)
  })
}

function registerImports(app: App, { files, config: { baseUrl } }: FilesContext): void {
  app.get(
    '/me/import',
    {
      config,
      schema: {
        operationId: 'listPortalImports',
        tags,
        summary: 'List the imports of the person',
        description: 'Returns the newest import jobs of the person with their progress.',
        response: { 200: ImportJobList },
      },
    },
    ({ portal: { scope, session } }) => listImportJobs(scope, session.user_id, undefined),
  )
  app.post(
    '/me/import',
    {
      config,
      schema: {
        operationId: 'importFromPortal',
        tags,
        summary: 'Import an uploaded file of the person',
        description: 'Creates a job that imports a finished upload. Its format is recognized.',
        body: PortalImport,
        response: { 202: ImportJob },
      },
    },
    async (request, reply) => {
      const { scope, session } = request.portal
      const port = { files, baseUrl: baseUrlOf(request, baseUrl) }
      const { upload_id: uploadId } = request.body
      const job = await importUpload(scope, port, session.user_id, uploadId.toLowerCase())
      return reply.code(202).send(job)
    },
  )
}

function registerCreation(app: App, importMaxBytes: number): void {
  app.post(
    UPLOADS,
    {
      config,
      schema: {
        operationId: 'createPortalUpload',
        tags,
        summary: 'Create a resumable upload of the person',
        description: 'Creates an upload by the tus protocol 1.0, without content.',
        headers: CreationHeaders,
        response: { 201: ImportUpload },
      },
    },
    async ({ portal: { scope, session }, headers }, reply) => {
      const upload = await createUpload(scope, importMaxBytes, session.user_id, {
        bytes: headers['upload-length'],
        metadata: headers['upload-metadata'],
      })
      reply.header('location', `uploads/${upload.id}`)
      return setTusHeaders(reply.code(201), upload).send(upload)
    },
  )
}

function registerContinuation(app: App, { files, config: settings }: FilesContext): void {
  app.get(
    `${UPLOADS}/:upload_id`,
    {
      config,
      schema: {
        operationId: 'getPortalUpload',
        tags,
        summary: 'Get a resumable upload of the person',
        description: 'Returns the number of stored bytes, from which the upload continues.',
        params: ByUploadId,
        response: { 200: ImportUpload },
      },
    },
    async ({ portal: { scope, session }, params }, reply) => {
      const upload = await getUpload(scope, files, session.user_id, params.upload_id)
      setTusHeaders(reply, upload).header('upload-length', String(upload.length))
      return upload
    },
  )
  app.patch(
    `${UPLOADS}/:upload_id`,
    {
      config,
      bodyLimit: settings.importMaxBytes,
      schema: {
        operationId: 'appendToPortalUpload',
        tags,
        summary: 'Continue a resumable upload of the person',
        description: 'Stores the body behind the bytes that the server has.',
        'x-file-types': [UPLOAD_TYPE],
        params: ByUploadId,
        headers: AppendHeaders,
        response: { 204: Type.Null({ description: 'The response has no body.' }) },
      },
    },
    async (request, reply) => {
      const { scope, session } = request.portal
      const { body, params, headers } = request
      const content = body instanceof Readable ? body : Readable.from([])
      const ids = { userId: session.user_id, uploadId: params.upload_id }
      const upload = await appendToUpload(scope, files, ids, headers['upload-offset'], content)
      return setTusHeaders(reply, upload).code(204).send(null)
    },
  )
}
