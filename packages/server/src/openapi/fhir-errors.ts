import { ERROR_TYPES, type ErrorType } from '@salus/kernel/errors.registry'
import type { JsonObject, Operation } from './document-parts.ts'

/** Whether an operation belongs to the FHIR interface. */
export const isFhir = ({ path }: Operation): boolean => path.startsWith('/fhir/')

/** Errors of the FHIR interface are resources, with the code in their details. */
export function toFhirErrors(errors: JsonObject, codes: readonly ErrorType[]): JsonObject {
  const entries = Object.keys(errors).map((status) => {
    const own = codes.filter((code) => String(ERROR_TYPES[code][0]) === status)
    const words = own.map((code) => `\`${code}\``).join(', ')
    const description =
      words === '' ? 'The request is refused.' : `The request is refused: ${words}.`
    const schema = { $ref: '#/components/schemas/FhirResource' }
    const examples = Object.fromEntries(own.map((code) => [code, { value: exampleOf(code) }]))
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
