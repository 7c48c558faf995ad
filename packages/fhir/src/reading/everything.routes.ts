import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { readEverything } from './everything.service.ts'
import {
  FHIR_TAGS,
  type FhirOptions,
  fhirBaseOf,
  givenInAddress,
  PRODUCES,
  resourceAnswer,
  sendResource,
} from './reading.routes.ts'

const EverythingQuery = Type.Object(
  {
    start: Type.Optional(Type.String({ description: 'First day of what resources are about.' })),
    end: Type.Optional(Type.String({ description: 'Last day of what resources are about.' })),
    _since: Type.Optional(Type.String({ description: 'Time since which resources changed.' })),
    _type: Type.Optional(Type.String({ description: 'Types of resources, with commas.' })),
    _count: Type.Optional(Type.String({ description: 'Number of resources on a page.' })),
  },
  { additionalProperties: true },
)

/** Registers the operation that returns all resources of a patient. */
export function registerEverythingRoute(app: App, options: FhirOptions): void {
  app.get(
    '/Patient/:user_id/$everything',
    {
      config: {
        produces: PRODUCES,
        checksQuery: true,
        fhirAccess: { action: 'read', type: '*' },
      },
      schema: {
        operationId: 'getFhirEverything',
        tags: FHIR_TAGS,
        summary: 'Get all FHIR resources of a patient',
        description:
          'Returns a Bundle with the resources of a patient, and what they refer to, page by page.',
        params: Type.Object({ user_id: Uuid }),
        querystring: EverythingQuery,
        response: { 200: resourceAnswer('Bundle of the resources.') },
      },
    },
    async (request, reply) => {
      const { scope, params } = request
      const base = fhirBaseOf(request, options)
      const given = givenInAddress(request)
      return sendResource(reply, await readEverything(scope, base, params.user_id, given))
    },
  )
}
