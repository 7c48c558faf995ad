import { enterEnvironment } from '@salus/accounts/teams'
import { Success, Uuid } from '@salus/contracts/schema-types'
import { notFound } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { Stores } from '@salus/kernel/scope'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import {
  ExportLink,
  ExportLinkCreate,
  PersonExport,
  PersonExportCreate,
  PersonExportList,
} from './exports.schema.ts'
import * as exports from './exports.service.ts'

const tags = ['Data rights']
const LIST = '/v2/user/:user_id/export'
const ONE = `${LIST}/:export_id`
const params = Type.Object({ user_id: Uuid })
const ById = Type.Object({ user_id: Uuid, export_id: Uuid })

/** The response of routes that return an archive. */
export const EXPORT_FILE_RESPONSE = {
  200: {
    description: 'ZIP archive.',
    content: {
      'application/zip': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
    },
  },
}

interface ExportConfig {
  config: { baseUrl: string | undefined }
}

export function registerExportRoutes(app: App, options: exports.ExportParts & ExportConfig): void {
  app.post(
    LIST,
    {
      schema: {
        operationId: 'exportPerson',
        tags,
        summary: 'Export all data of a user',
        description: 'Creates one ZIP archive in the background. It expires after a week.',
        params,
        body: PersonExportCreate,
        'x-body-example': { format: 'fhir' },
        response: { 200: PersonExport },
      },
    },
    ({ scope, params: { user_id: userId }, body }) =>
      exports.createExport(scope, userId, body.format),
  )
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listExports',
        tags,
        summary: 'List the exports of a user',
        description: 'Returns the exports that have not expired, the newest first.',
        params,
        response: { 200: PersonExportList },
      },
    },
    ({ scope, params: { user_id: userId } }) => exports.listExports(scope, userId),
  )
  app.get(
    ONE,
    {
      schema: {
        operationId: 'getExport',
        tags,
        summary: 'Get an export',
        description:
          'Returns the state of the export, with the number of rows that were written and the total.',
        params: ById,
        response: { 200: PersonExport },
      },
    },
    ({ scope, params: { user_id: userId, export_id: id } }) => exports.getExport(scope, userId, id),
  )
  registerExportDeletion(app, options)
  registerFileRoutes(app, options)
}

function registerExportDeletion(app: App, options: exports.ExportParts & ExportConfig): void {
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteExport',
        tags,
        summary: 'Delete an export',
        description: 'Deletes the export before it expires, with its file and its link.',
        params: ById,
        response: { 200: Success },
      },
    },
    async ({ scope, params: { user_id: userId, export_id: id } }) => {
      await exports.deleteExport(scope, options, userId, id)
      return { success: true }
    },
  )
}

function registerFileRoutes(app: App, options: exports.ExportParts & ExportConfig): void {
  app.get(
    `${ONE}/download`,
    {
      schema: {
        operationId: 'downloadExport',
        tags,
        summary: 'Download the file of an export',
        description: 'Returns the archive, whose SHA-256 the export contains.',
        params: ById,
        response: EXPORT_FILE_RESPONSE,
      },
    },
    async ({ scope, params: { user_id: userId, export_id: id } }, reply) =>
      sendExport(reply, await exports.openExport(scope, options, userId, id)),
  )
  app.post(
    `${ONE}/link`,
    {
      schema: {
        operationId: 'createExportLink',
        tags,
        summary: 'Create a link to the file of an export',
        description:
          'Creates a link that downloads the file without a key. A new link replaces the previous one.',
        params: ById,
        body: ExportLinkCreate,
        'x-body-example': { expires_in_seconds: 3600 },
        response: { 200: ExportLink },
      },
    },
    (request) => {
      const { user_id: userId, export_id: exportId } = request.params
      const baseUrl = baseUrlOf(request, options.config.baseUrl)
      const { expires_in_seconds: seconds } = request.body
      return exports.createLink(request.scope, { userId, exportId, baseUrl }, seconds)
    },
  )
}

/** Registers the link without authentication, because the link itself is the secret. */
export function registerExportLinkRoute(app: App, options: exports.ExportParts & Stores): void {
  app.get(
    '/export/:link_secret',
    {
      schema: {
        operationId: 'downloadExportByLink',
        tags,
        summary: 'Download the file of an export by a link',
        description: 'Returns the archive without a key until the link expires.',
        security: [],
        params: Type.Object({ link_secret: Type.String({ pattern: '^[0-9A-Za-z]{43}$' }) }),
        response: EXPORT_FILE_RESPONSE,
      },
    },
    async (request, reply) => {
      const download = await exports.openExportOfLink(options, options, request.params.link_secret)
      const { environment_id: environmentId, id, user_id: userId } = download.row
      const scope = await enterEnvironment(options, environmentId)
      if (scope === undefined) throw notFound('Export')
      request.actor = { kind: 'export_link', id, userId }
      request.scope = scope
      return sendExport(reply, download)
    },
  )
}

/** Sends the archive of an export. */
export function sendExport(
  reply: FastifyReply,
  { row, content }: exports.ExportDownload,
): FastifyReply {
  return reply
    .type('application/zip')
    .header('content-length', row.file_bytes)
    .header('content-disposition', `attachment; filename="export-${row.id}.zip"`)
    .header('cache-control', 'private, no-store')
    .send(content)
}
