import { Uuid } from '@salus/contracts/schema-types'
import { AppError, notFound } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  FHIR_TAGS,
  type FhirOptions,
  fhirBaseOf,
  givenInAddress,
  PRODUCES,
  Repeated,
  readExportParameters,
} from '../reading/index.ts'
import {
  type BulkParts,
  createBulkExport,
  deleteBulkExport,
  getBulkExport,
  openBulkFile,
} from './bulk-exports.service.ts'

export type BulkOptions = FhirOptions & BulkParts

const NDJSON = 'application/fhir+ndjson'
const STATUS = '/bulk_export/status/:export_id'
const FILE = '/bulk_export/file/:export_id/:file_name'
const RETRY_SECONDS = '2'

const ExportQuery = Type.Object(
  {
    _type: Type.Optional(Repeated('Types of resources, with commas.')),
    _since: Type.Optional(Type.String({ description: 'Time since which resources changed.' })),
    _outputFormat: Type.Optional(Type.String({ description: 'Format; only ndjson.' })),
  },
  { additionalProperties: true },
)

const Manifest = Type.Object(
  {
    transactionTime: Type.String({ description: 'Time up to which changes are in the files.' }),
    request: Type.String({ description: 'Address of the request.' }),
    requiresAccessToken: Type.Boolean({ description: 'Whether files need a credential.' }),
    output: Type.Array(
      Type.Object({
        type: Type.String({ description: 'Type of the resources in the file.' }),
        url: Type.String({ description: 'Address of the file.' }),
        count: Type.Integer({ description: 'Number of resources in the file.' }),
      }),
      { description: 'Files, one for each type.' },
    ),
    error: Type.Array(Type.Unknown(), { description: 'Files about errors; always empty.' }),
  },
  { title: 'FhirExportManifest' },
)

/** Registers exports of all patients as files, by Bulk Data Access 2.0. */
export function registerBulkRoutes(app: App, options: BulkOptions): void {
  registerKickOffRoutes(app, options)
  registerStatusRoutes(app, options)
}

const STARTED = {
  202: {
    description: 'The export is made; Content-Location has the address of its status.',
    type: 'null',
  },
} as const

function registerKickOffRoutes(app: App, options: BulkOptions): void {
  const fhirAccess = { action: 'read', isListed: true } as const
  const config = { produces: PRODUCES, checksQuery: true, fhirAccess }
  app.get(
    '/Patient/$export',
    {
      config,
      schema: {
        operationId: 'exportFhirPatients',
        tags: FHIR_TAGS,
        summary: 'Export the resources of all patients',
        description:
          'Creates files of newline-delimited JSON in the background, one for each type.',
        querystring: ExportQuery,
        response: STARTED,
      },
    },
    (request, reply) => startExport(request, reply, options) as Promise<never>,
  )
  app.get(
    '/Group/:team_id/$export',
    {
      config,
      schema: {
        operationId: 'exportFhirGroup',
        tags: FHIR_TAGS,
        summary: 'Export the resources of all patients of the team',
        description: 'Creates the same files as exportFhirPatients; the only group is the team.',
        params: Type.Object({ team_id: Uuid }),
        querystring: ExportQuery,
        response: STARTED,
      },
    },
    (request, reply) => {
      const { teamId } = request.scope.environment
      if (request.params.team_id.toLowerCase() !== teamId) throw notFound('Group')
      return startExport(request, reply, options) as Promise<never>
    },
  )
}

async function startExport(
  request: FastifyRequest,
  reply: FastifyReply,
  options: BulkOptions,
): Promise<FastifyReply> {
  const { types, since } = readExportParameters(givenInAddress(request))
  const base = fhirBaseOf(request, options)
  const requestUrl = `${base}${request.url.slice(request.url.indexOf('/fhir/R4') + '/fhir/R4'.length)}`
  const id = await createBulkExport(request.scope, { types, since, requestUrl })
  reply.code(202).header('content-location', `${base}/bulk_export/status/${id}`)
  return reply.send()
}

/** What an export holds, only a client with a scope for all types may see. */
const OF_EXPORT = { action: 'read', type: '*' } as const
const ByExport = Type.Object({ export_id: Type.String() })

function registerStatusRoutes(app: App, options: BulkOptions): void {
  app.get(
    STATUS,
    {
      config: { produces: PRODUCES, checksQuery: true, fhirAccess: OF_EXPORT },
      schema: {
        operationId: 'getFhirExport',
        tags: FHIR_TAGS,
        summary: 'Get the status of a FHIR export',
        description: 'Returns 202 with the progress while it runs, then the list of its files.',
        params: ByExport,
        response: {
          200: Manifest,
          202: { description: 'The export is being made.', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      const row = await getBulkExport(request.scope, request.params.export_id)
      if (row.status === 'failed') {
        throw new AppError(500, 'export_failed', 'The export failed. Start another one.')
      }
      if (row.status !== 'completed') {
        reply.code(202).header('retry-after', RETRY_SECONDS)
        reply.header('x-progress', `${row.types_written} of ${row.types.length} types`)
        return reply.send(undefined as never)
      }
      const base = fhirBaseOf(request, options)
      reply.header('expires', row.expires_at.toUTCString()).type('application/json; charset=utf-8')
      return {
        transactionTime: row.created_at.toISOString(),
        request: row.request_url,
        requiresAccessToken: true,
        output: row.files.map(({ type, name, count }) => ({
          type,
          url: `${base}/bulk_export/file/${row.id}/${name}`,
          count,
        })),
        error: [],
      }
    },
  )
  registerDeletion(app, options)
  registerFileRoute(app, options)
}

function registerDeletion(app: App, options: BulkOptions): void {
  app.delete(
    STATUS,
    {
      config: { produces: PRODUCES, checksQuery: true, fhirAccess: OF_EXPORT },
      schema: {
        operationId: 'deleteFhirExport',
        tags: FHIR_TAGS,
        summary: 'Delete a FHIR export',
        description: 'Cancels the export, or deletes its files before they expire.',
        params: ByExport,
        response: { 202: { description: 'The export was deleted.', type: 'null' } },
      },
    },
    async (request, reply) => {
      await deleteBulkExport(request.scope, options, request.params.export_id)
      return reply.code(202).send(undefined as never)
    },
  )
}

function registerFileRoute(app: App, options: BulkOptions): void {
  app.get(
    FILE,
    {
      config: { produces: [NDJSON, ...PRODUCES], checksQuery: true, fhirAccess: OF_EXPORT },
      schema: {
        operationId: 'downloadFhirExport',
        tags: FHIR_TAGS,
        summary: 'Download a file of a FHIR export',
        description: 'Returns one resource on each line.',
        params: Type.Object({ export_id: Type.String(), file_name: Type.String() }),
        response: {
          200: {
            description: 'Resources, one on each line.',
            content: {
              [NDJSON]: { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { export_id: id, file_name: name } = request.params
      const content = await openBulkFile(request.scope, options, id, name)
      return (reply as FastifyReply).type(NDJSON).send(content) as never
    },
  )
}
