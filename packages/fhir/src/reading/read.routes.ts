import type { App } from '@salus/kernel/http/app-types'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { FhirResource } from '../resources/index.ts'
import { recordPatient } from './audited-patient.ts'
import { isUnchanged, tagOf } from './conditional-read.ts'
import { FHIR_JSON } from './operation-outcome.ts'
import { readBinary, readResource } from './read-resource.service.ts'
import {
  FHIR_TAGS,
  type FhirOptions,
  fhirBaseOf,
  givenInAddress,
  PRODUCES,
  Resource,
  resourceAnswer,
  sendResource,
} from './reading.routes.ts'
import { cutResource, readPart } from './search/result-parts.ts'
import { readHistory, readVersion } from './versions.service.ts'

const BY_ID = { resource_type: Type.String(), resource_id: Type.String() }
const ById = Type.Object(BY_ID)

const ReadQuery = Type.Object(
  {
    _summary: Type.Optional(Type.String({ description: 'Part of the resource.' })),
    _elements: Type.Optional(
      Type.String({ description: 'Elements of the resource, separated by commas.' }),
    ),
  },
  { additionalProperties: true },
)

const ConditionalHeaders = Type.Object({
  'if-none-match': Type.Optional(
    Type.String({
      description: 'ETag of a read before; the answer is 304 if nothing changed.',
      examples: ['W/"2"'],
    }),
  ),
  'if-modified-since': Type.Optional(
    Type.String({ description: 'Last-Modified of a read before.' }),
  ),
})

const UNCHANGED = { 304: { description: 'The resource did not change.', type: 'null' } } as const

/** Registers reads of resources, and of their versions; the caller is known. */
export function registerReadRoutes(app: App, options: FhirOptions): void {
  app.get(
    '/:resource_type/:resource_id',
    {
      config: {
        produces: [...PRODUCES, 'application/pdf'],
        checksQuery: true,
        fhirAccess: { action: 'read' },
      },
      schema: {
        operationId: 'readFhir',
        tags: FHIR_TAGS,
        summary: 'Read a FHIR resource',
        description:
          'Returns one resource. A Binary is returned as the PDF that it holds, unless the request accepts FHIR only.',
        params: ById,
        querystring: ReadQuery,
        headers: ConditionalHeaders,
        response: {
          200: {
            description: 'The resource.',
            content: {
              [FHIR_JSON]: { schema: Resource },
              'application/pdf': {
                schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
              },
            },
          },
          ...UNCHANGED,
        },
      },
    },
    async (request, reply) => {
      const { scope, params } = request
      const { resource_type: type, resource_id: id } = params
      if (type !== 'Binary') return sendRead(request, reply, await readResource(scope, type, id))
      const { content, resource } = await readBinary(scope, options.files, id)
      const isOnlyFhir = /json/.test(request.headers.accept ?? '')
      return isOnlyFhir
        ? sendResource(reply, resource)
        : reply.type('application/pdf').send(content)
    },
  )
  registerVersionRoutes(app, options)
}

function registerVersionRoutes(app: App, options: FhirOptions): void {
  const config = { produces: PRODUCES, checksQuery: true, fhirAccess: { action: 'read' } } as const
  app.get(
    '/:resource_type/:resource_id/_history',
    {
      config,
      schema: {
        operationId: 'listFhirVersions',
        tags: FHIR_TAGS,
        summary: 'List the versions of a FHIR resource',
        description: 'Returns a Bundle of all versions of results, the newest first.',
        params: ById,
        response: { 200: resourceAnswer('Bundle of the type history.') },
      },
    },
    async (request, reply) => {
      const { resource_type: type, resource_id: id } = request.params
      const base = fhirBaseOf(request, options)
      return sendResource(reply, await readHistory(request.scope, base, type, id))
    },
  )
  app.get(
    '/:resource_type/:resource_id/_history/:version_id',
    {
      config,
      schema: {
        operationId: 'readFhirVersion',
        tags: FHIR_TAGS,
        summary: 'Read a version of a FHIR resource',
        description: 'Returns a resource of results as a version of these results had it.',
        params: Type.Object({ ...BY_ID, version_id: Type.String() }),
        headers: ConditionalHeaders,
        response: { 200: resourceAnswer('The version of the resource.'), ...UNCHANGED },
      },
    },
    async (request, reply) => {
      const { resource_type: type, resource_id: id, version_id: version } = request.params
      return sendRead(request, reply, await readVersion(request.scope, type, id, version))
    },
  )
}

/** Sends a resource with its ETag, or 304 to a client that has it already. */
function sendRead(request: FastifyRequest, reply: FastifyReply, resource: FhirResource) {
  const tag = tagOf(resource)
  const changed = resource.meta?.lastUpdated
  reply.header('etag', tag)
  if (changed !== undefined) reply.header('last-modified', new Date(changed).toUTCString())
  if (!isUnchanged(request.headers, tag, changed)) {
    return sendResource(reply, cutResource(resource, readPart(givenInAddress(request))))
  }
  recordPatient(request, resource)
  return reply.code(304).send()
}
