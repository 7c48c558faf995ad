import { ERROR_TYPES, type ErrorType } from '@salus/kernel/errors.registry'
import type { JsonObject, Operation } from './document-parts.ts'

/** Whether an operation belongs to the FHIR interface. */
export const isFhir = ({ path }: Operation): boolean => path.startsWith('/fhir/')

const OAUTH_ERROR: JsonObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'Code of OAuth 2.0.' },
    error_description: { type: 'string', description: 'Explanation for people.' },
    error_type: { type: 'string', description: 'Code of the error, for programs.' },
  },
}

const OAUTH_EXAMPLE: JsonObject = {
  error: 'invalid_client',
  error_description: ERROR_TYPES.invalid_client[1],
  error_type: 'invalid_client',
}

/** Errors of the FHIR interface are resources, with the code in their details. */
export function toFhirErrors(
  errors: JsonObject,
  codes: readonly ErrorType[],
  { content: { operationId } }: Operation,
): JsonObject {
  const isOfTokens = operationId === 'createSmartToken' || operationId === 'getSmartConfiguration'
  const entries = Object.keys(errors).map((status) => {
    const own = codes.filter((code) => String(ERROR_TYPES[code][0]) === status)
    const words = own.map((code) => `\`${code}\``).join(', ')
    const description =
      words === '' ? 'The request is refused.' : `The request is refused: ${words}.`
    const schema = { $ref: '#/components/schemas/FhirResource' }
    const examples = Object.fromEntries(own.map((code) => [code, { value: exampleOf(code) }]))
    if (isOfTokens) {
      const media = { schema: OAUTH_ERROR, example: OAUTH_EXAMPLE }
      return [status, { description, content: { 'application/json': media } }]
    }
    const content = {
      'application/fhir+json': { schema, ...(own.length > 0 && { examples }) },
    }
    return [status, { description, content }]
  })
  return Object.fromEntries(entries)
}

const exampleOf = (code: ErrorType): JsonObject => ({
  resourceType: 'OperationOutcome',
  issue: [
    {
      severity: 'error',
      code: 'invalid',
      details: { coding: [{ system: 'urn:salus:error', code }], text: ERROR_TYPES[code][1] },
    },
  ],
})
