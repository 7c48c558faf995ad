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

const FILE_RESPONSE = {
  200: {
    description: 'A ZIP archive.',
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
        summary: 'Export everything of a person',
        description:
          'Made in the background as one ZIP archive, which ends by itself after a week.',
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
        summary: 'List exports of a person',
        description: 'Newest first, without those that have ended.',
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
        summary: 'Read an export',
        description: 'How far it is: rows that were written, of all.',
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
        description: 'Before its time, with its file and its link.',
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
        description: 'The archive, whose SHA-256 the export tells.',
        params: ById,
        response: FILE_RESPONSE,
      },
    },
    async ({ scope, params: { user_id: userId, export_id: id } }, reply) =>
      send(reply, await exports.openExport(scope, options, userId, id)),
  )
  app.post(
    `${ONE}/link`,
    {
      schema: {
        operationId: 'createExportLink',
        tags,
        summary: 'Make a link that downloads the file of an export',
        description: 'Whoever has the link needs no key. A new one ends the one before.',
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

/** What is sent is the secret: no key is asked for. */
export function registerExportLinkRoute(app: App, options: exports.ExportParts & Stores): void {
  app.get(
    '/export/:link_secret',
    {
      schema: {
        operationId: 'downloadExportByLink',
        tags,
        summary: 'Download the file of an export by a link',
        description: 'The archive, for whoever has the link, until it ends.',
        security: [],
        params: Type.Object({ link_secret: Type.String({ pattern: '^[0-9A-Za-z]{43}$' }) }),
        response: FILE_RESPONSE,
      },
    },
    async (request, reply) => {
      const download = await exports.openExportOfLink(options, options, request.params.link_secret)
      const { environment_id: environmentId, id, user_id: userId } = download.row
      const scope = await enterEnvironment(options, environmentId)
      if (scope === undefined) throw notFound('Export')
      request.actor = { kind: 'export_link', id, userId }
      request.scope = scope
      return send(reply, download)
    },
  )
}

function send(reply: FastifyReply, { row, content }: exports.ExportDownload): FastifyReply {
  return reply
    .type('application/zip')
    .header('content-length', row.file_bytes)
    .header('content-disposition', `attachment; filename="export-${row.id}.zip"`)
    .header('cache-control', 'private, no-store')
    .send(content)
}
