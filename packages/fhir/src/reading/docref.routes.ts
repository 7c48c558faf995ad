import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import {
  FHIR_TAGS,
  type FhirOptions,
  fhirBaseOf,
  givenInAddress,
  PRODUCES,
  resourceAnswer,
  sendResource,
} from './reading.routes.ts'
import { readSearch } from './search/read-search.ts'
import { search } from './search/search.service.ts'
import { invalidParameter } from './search/search-filter.ts'
import type { GivenParameters } from './search/search-types.ts'

const DocrefQuery = Type.Object(
  {
    patient: Type.Optional(Type.String({ description: 'Id of the patient, who is a user.' })),
    start: Type.Optional(Type.String({ description: 'First day of the documents.' })),
    end: Type.Optional(Type.String({ description: 'Last day of the documents.' })),
    type: Type.Optional(Type.String({ description: 'Codes of the kinds of documents.' })),
  },
  { additionalProperties: true },
)

/** Names of the operation, with the search parameters that mean the same. */
const PARAMETERS: Readonly<Record<string, (value: string) => [string, string]>> = {
  patient: (value) => ['patient', value],
  start: (value) => ['date', `ge${value}`],
  end: (value) => ['date', `le${value}`],
  type: (value) => ['type', value],
  _count: (value) => ['_count', value],
}

/** Registers the operation of US Core that returns the documents of a patient. */
export function registerDocrefRoute(app: App, options: FhirOptions): void {
  app.get(
    '/DocumentReference/$docref',
    {
      config: {
        produces: PRODUCES,
        checksQuery: true,
        fhirAccess: { action: 'search', type: 'DocumentReference' },
      },
      schema: {
        operationId: 'getFhirDocuments',
        tags: FHIR_TAGS,
        summary: 'Get the FHIR documents of a patient',
        description:
          'Returns a Bundle of the DocumentReferences of a patient: the PDFs of results. Its links are those of a search.',
        querystring: DocrefQuery,
        response: { 200: resourceAnswer('Bundle of the documents.') },
      },
    },
    async (request, reply) => {
      const asked = readSearch('DocumentReference', readDocref(givenInAddress(request)), true)
      return sendResource(reply, await search(request.scope, fhirBaseOf(request, options), asked))
    },
  )
}

/**
 * Returns the search of an operation.
 * @throws AppError 400 without a patient, and for parameters that could not be kept
 */
function readDocref(given: GivenParameters): GivenParameters {
  const [patient] = given.find(([name]) => name === 'patient') ?? []
  if (patient === undefined) throw invalidParameter('patient', 'The operation needs a patient.')
  return given.flatMap(([name, value]) => {
    if (name === '_format') return []
    const read = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined
    if (read === undefined) {
      throw invalidParameter(name, 'The operation has patient, start, end and type.')
    }
    return [read(value)]
  })
}
