import type { Bundle, ServiceRequest } from '@medplum/fhirtypes'
import type { InputError } from '@salus/kernel/errors'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import Type, { type TSchema } from 'typebox'

/** Elements that are read of a request, with their types of FHIR R4; all others may be anything. */

const part = (elements: Record<string, TSchema>) =>
  Type.Object(
    Object.fromEntries(
      Object.entries(elements).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
    { additionalProperties: true },
  )
const text = Type.String({ maxLength: 10_000 })
const list = (schema: TSchema) => Type.Array(schema, { maxItems: 1_000 })

const Coding = part({ system: text, code: text })
const Concept = part({ coding: list(Coding), text })
const Identifier = part({ system: text, value: text })
const Reference = part({ reference: text })
const Answer = part({ valueCoding: Coding })

const Contained = part({
  resourceType: text,
  id: text,
  identifier: list(Identifier),
  name: list(part({ family: text, given: list(text) })),
  item: list(part({ linkId: text, answer: list(Answer) })),
})

const Request = part({
  resourceType: text,
  id: text,
  status: text,
  intent: text,
  priority: text,
  occurrenceDateTime: text,
  subject: Reference,
  requester: Reference,
  requisition: Identifier,
  code: Concept,
  reasonCode: list(Concept),
  identifier: list(Identifier),
  performer: list(Reference),
  supportingInfo: list(Reference),
  insurance: list(Reference),
  note: list(part({ text })),
  extension: list(part({ url: text, valueCode: text, valueString: text })),
  contained: list(Contained),
})

const Transaction = part({
  resourceType: text,
  type: text,
  entry: list(part({ request: part({ method: text, url: text }), resource: Request })),
})

function createCheck<Shape>(schema: TSchema): (body: unknown) => Shape {
  const validate = createValidatorCompiler()({ schema, method: '', url: '', httpPart: 'body' })
  return (body) => {
    const result = validate(body) as { error?: InputError } | undefined
    if (result?.error) throw result.error
    return body as Shape
  }
}

/** Returns a body as a ServiceRequest, so far as it is read. @throws InputError 422 */
export const asServiceRequest = createCheck<ServiceRequest>(Request)

/** Returns a body as a Bundle, so far as it is read. @throws InputError 422 */
export const asTransaction = createCheck<Bundle>(Transaction)
