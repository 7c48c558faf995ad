import { AppError } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import { registerErrorBodies } from '@salus/kernel/http/error-handler'
import { acceptJson } from '@salus/kernel/http/request-body'
import { forbidStoring } from '@salus/kernel/http/security-headers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { requireScope } from './access-scopes.ts'
import { recordPatient } from './audited-patient.ts'
import { toCapabilityStatement } from './capability-statement.ts'
import { FHIR_JSON, toOperationOutcome } from './operation-outcome.ts'
import { RESOURCE_TYPES } from './resource-types.registry.ts'
import { readSearch, requireForm, requireServedType } from './search/read-search.ts'
import { search } from './search/search.service.ts'
import type { GivenParameters, Search } from './search/search-types.ts'

export const FHIR_PATH = '/fhir/R4'
export const FHIR_TAGS = ['FHIR']

/** A resource, whose content its reader checks. */
export const Resource = Type.Unsafe<unknown>({
  title: 'FhirResource',
  type: 'object',
  description: 'Resource of FHIR R4 (https://hl7.org/fhir/R4).',
  properties: { resourceType: { type: 'string', description: 'Type of the resource.' } },
  required: ['resourceType'],
  additionalProperties: true,
})

/** Schema of an answer with a resource. */
export const resourceAnswer = (description: string) => ({
  description,
  content: { [FHIR_JSON]: { schema: Resource } },
})

export interface FhirOptions {
  files: FileStore
  config: { baseUrl: string | undefined }
}

/** Media types of answers; errors of the interface are resources, too. */
export const PRODUCES = [FHIR_JSON, 'application/json', 'text/json']

/** Returns the address of the interface. */
export const fhirBaseOf = (request: FastifyRequest, { config }: Pick<FhirOptions, 'config'>) =>
  `${baseUrlOf(request, config.baseUrl)}${FHIR_PATH}`

/** Sends a resource in the media type of FHIR. */
export function sendResource(reply: FastifyReply, resource: object): FastifyReply {
  recordPatient(reply.request, resource)
  return reply.type(`${FHIR_JSON}; charset=utf-8`).serializer(JSON.stringify).send(resource)
}

/** Prepares a part of the application for FHIR: its bodies, and errors as OperationOutcome. */
export function prepareForFhir(app: App): void {
  const type = `${FHIR_JSON}; charset=utf-8`
  registerErrorBodies(app, { type, bodyOf: toOperationOutcome, ofUnknown: true })
  acceptJson(app, FHIR_JSON)
  acceptJson(app, 'application/json-patch+json')
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
  )
  app.addHook('onRequest', forbidStoring)
}

/** Registers the statement of what the interface can do, which needs no key. */
export function registerCapabilityRoutes(app: App, options: Pick<FhirOptions, 'config'>): void {
  app.get(
    '/metadata',
    {
      config: { produces: PRODUCES, checksQuery: true },
      schema: {
        operationId: 'getFhirCapabilities',
        tags: FHIR_TAGS,
        summary: 'Get the FHIR CapabilityStatement',
        description: 'Returns the types of resources, their search parameters, and the operations.',
        security: [],
        response: { 200: resourceAnswer('CapabilityStatement.') },
      },
    },
    (request, reply) => sendResource(reply, toCapabilityStatement(fhirBaseOf(request, options))),
  )
}

const ByType = Type.Object({ resource_type: Type.String() })

/** Registers searches; the caller is known. */
export function registerSearchRoutes(app: App, options: FhirOptions): void {
  app.get(
    '/:resource_type',
    {
      config: { produces: PRODUCES, checksQuery: true, fhirAccess: { action: 'search' } },
      schema: {
        operationId: 'searchFhir',
        tags: FHIR_TAGS,
        summary: 'Search FHIR resources',
        description:
          'Returns a Bundle with the matching resources of a type, and a link to the next page. The CapabilityStatement lists the parameters of each type.',
        params: ByType,
        querystring: SearchQuery,
        response: { 200: resourceAnswer('Bundle of the matching resources.') },
      },
    },
    (request, reply) => answerSearch(request, reply, options, givenInAddress(request)),
  )
  app.post(
    '/:resource_type/_search',
    {
      config: {
        produces: PRODUCES,
        checksQuery: true,
        isRead: true,
        fhirAccess: { action: 'search' },
      },
      schema: {
        operationId: 'searchFhirByForm',
        tags: FHIR_TAGS,
        summary: 'Search FHIR resources by a form',
        description: 'Searches like the GET, with parameters in the body, which no log holds.',
        params: ByType,
        'x-file-types': ['application/x-www-form-urlencoded'],
        'x-file-optional': true,
        response: { 200: resourceAnswer('Bundle of the matching resources.') },
      },
    },
    (request, reply) => {
      const { body = new URLSearchParams() } = request
      requireForm(body)
      return answerSearch(request, reply, options, [...givenInAddress(request), ...body])
    },
  )
}

/** A parameter that may be there more than once. */
export const Repeated = (description: string) => Type.Array(Type.String(), { description })

const SearchQuery = Type.Object(
  {
    _id: Type.Optional(Repeated('Ids of resources, separated by commas.')),
    _count: Type.Optional(Type.String({ description: 'Number of resources on a page.' })),
    _sort: Type.Optional(Type.String({ description: 'Order: date, -date or _lastUpdated.' })),
    _include: Type.Optional(
      Repeated('Reference whose target is added, such as DiagnosticReport:result.'),
    ),
    _revinclude: Type.Optional(
      Repeated('Reference back to what is found, such as Provenance:target.'),
    ),
    _summary: Type.Optional(
      Type.String({ description: 'Part of the resources: true, text, data, count or false.' }),
    ),
    _elements: Type.Optional(
      Type.String({ description: 'Elements of the resources, separated by commas.' }),
    ),
    _total: Type.Optional(Type.String({ description: 'Whether all matches are counted.' })),
    patient: Type.Optional(Type.String({ description: 'Id of the patient, who is a user.' })),
  },
  { additionalProperties: true },
)

/** The parser of the framework has joined repeated names, and would lose their order. */
export function givenInAddress({ url }: FastifyRequest): GivenParameters {
  const query = url.indexOf('?')
  return query === -1 ? [] : [...new URLSearchParams(url.slice(query + 1))]
}

async function answerSearch(
  request: FastifyRequest<{ Params: { resource_type: string } }>,
  reply: FastifyReply,
  options: FhirOptions,
  given: GivenParameters,
): Promise<FastifyReply> {
  const type = requireServedType(request.params.resource_type)
  const isStrict = /(^|[;,\s])handling=strict\b/.test(String(request.headers.prefer ?? ''))
  requireJsonFormat(given)
  const asked = readSearch(type, given, isStrict)
  for (const target of targetsOf(asked)) requireScope(request, target, 'read')
  return sendResource(reply, await search(request.scope, fhirBaseOf(request, options), asked))
}

/** Types that `_include` and `_revinclude` add. */
const targetsOf = ({ type, includes, reverseIncludes }: Search): string[] => [
  ...includes.flatMap(({ parameter }) => RESOURCE_TYPES[type].parameters[parameter]?.targets ?? []),
  ...reverseIncludes.map((one) => one.type),
]

/** @throws AppError 406 for a format other than JSON */
function requireJsonFormat(given: GivenParameters): void {
  const format = given.find(([name]) => name === '_format')?.[1]
  if (format === undefined || /^(json|(application|text)\/(fhir[+ ])?json)\b/.test(format)) return
  throw new AppError(406, 'not_acceptable', 'The interface answers in JSON only.')
}
