import type { Json, JsonObject, Operation } from './document-parts.ts'
import { ERROR_TYPES, ERRORS_OF_OPERATION } from './errors.registry.ts'

const TEXT: JsonObject = { type: 'string' }
const RETRY_AFTER: JsonObject = {
  'Retry-After': {
    description: 'Seconds to wait before the same request may work.',
    schema: { type: 'integer' },
    example: 1,
  },
}

/** Bodies of refusals (contract 01, section 4): a code for most, a text for 404, a list for 422. */
const Refusal: JsonObject = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'object',
      description: 'Some codes carry further facts beside the two.',
      required: ['error_type'],
      properties: {
        error_type: { ...TEXT, description: 'The code, for programs.' },
        error_message: { ...TEXT, description: 'The same for people; may change.' },
      },
    },
  },
}
const NotFound: JsonObject = {
  type: 'object',
  properties: { detail: { ...TEXT, description: 'What was not found.' } },
}
const InvalidRequest: JsonObject = {
  type: 'object',
  properties: {
    detail: {
      type: 'array',
      description: 'Every problem of the request.',
      items: {
        type: 'object',
        properties: {
          loc: { type: 'array', items: {}, description: 'Part of the request, then the field.' },
          msg: { ...TEXT, description: 'What is wrong, for people.' },
          type: { ...TEXT, description: 'What is wrong, for programs.' },
        },
      },
    },
  },
}
const PROBLEM = { loc: ['query', 'start_date'], msg: 'Field required', type: 'missing' }

export const ERROR_SCHEMAS = { Refusal, NotFound, InvalidRequest }

const refer = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })
const exampleOf = (code: string): JsonObject => ({
  detail: { error_type: code, error_message: ERROR_TYPES[code]?.[1] ?? '' },
})

const answer = (schema: string, description: string, example: Json): JsonObject => ({
  description,
  content: { 'application/json': { schema: refer('schemas', schema), example } },
})
const refusal = (code: string, description: string): JsonObject =>
  answer('Refusal', description, exampleOf(code))

/** Answers that operations share. */
export const ERROR_RESPONSES: JsonObject = {
  Unauthorized: refusal('invalid_api_key', 'The credential is missing, unknown or expired.'),
  NotFound: answer('NotFound', 'The id is unknown, or belongs to another team.', {
    detail: 'User not found.',
  }),
  NotAcceptable: refusal('not_acceptable', 'The answer cannot be in a type that is accepted.'),
  TooLarge: refusal('body_too_large', 'The body is over the limit.'),
  UnsupportedMediaType: refusal('unsupported_media_type', 'The body has another media type.'),
  Invalid: answer('InvalidRequest', 'The request does not match the schema.', {
    detail: [PROBLEM],
  }),
  Unavailable: {
    ...refusal('store_unavailable', 'Overloaded, stopping, or a database does not answer.'),
    headers: RETRY_AFTER,
  },
  Refused: refusal('internal_error', 'Any other refusal or fault.'),
}

/** One refusal a code, which operations refer to. */
export const errorExamples = (codes: Iterable<string>): JsonObject =>
  Object.fromEntries(
    [...codes]
      .sort()
      .map((code) => [code, { summary: ERROR_TYPES[code]?.[1] ?? code, value: exampleOf(code) }]),
  )

/** Declares what the operation may refuse, and with which codes, which are returned. */
export function addErrorResponses(operation: Operation): string[] {
  const { content } = operation
  const codes = codesOf(operation)
  const statuses = new Set(codes.map((code) => ERROR_TYPES[code]?.[0] ?? 400))
  const hasBody = content.requestBody !== undefined
  const hasInput = hasBody || ((content.parameters ?? []) as Json[]).length > 0
  const shared: Record<string, string | false> = {
    401: 'Unauthorized',
    404: namesSomething(operation) && 'NotFound',
    406: !answersOnlyJson(content) && 'NotAcceptable',
    413: hasBody && 'TooLarge',
    415: hasBody && 'UnsupportedMediaType',
    422: hasInput && 'Invalid',
    503: 'Unavailable',
    default: 'Refused',
  }
  const errors: JsonObject = {}
  for (const [status, name] of Object.entries(shared)) {
    if (name !== false) errors[status] = refer('responses', name)
  }
  for (const status of statuses) errors[status] = coded(status, codes)
  content.responses = { ...(content.responses as JsonObject), ...errors }
  return codes
}

function coded(status: number, all: readonly string[]): JsonObject {
  const codes = all.filter((code) => (ERROR_TYPES[code]?.[0] ?? 400) === status)
  const words = codes.map((code) => `\`${code}\``).join(', ')
  const examples = Object.fromEntries(codes.map((code) => [code, refer('examples', code)]))
  return {
    description: `Refused, as \`error_type\` says: ${words}.`,
    ...(status === 429 && { headers: RETRY_AFTER }),
    content: { 'application/json': { schema: refer('schemas', 'Refusal'), examples } },
  }
}

/** Codes of the operation itself, and those that follow from what it takes. */
function codesOf({ path, content }: Operation): string[] {
  const names = new Set(((content.parameters ?? []) as JsonObject[]).map(({ name }) => name))
  const isPeriod = names.has('start_date')
  return [
    ...new Set([
      ...(ERRORS_OF_OPERATION[String(content.operationId)] ?? []),
      ...(isPeriod ? ['invalid_date_range'] : []),
      ...(isPeriod && /summary|merged/.test(path) ? ['range_too_large'] : []),
      ...(names.has('next_cursor') ? ['invalid_cursor'] : []),
      ...(isUpload(content) ? ['not_connected', 'invalid_gzip'] : []),
      ...(path.startsWith('/v1/') ? ['role_too_low'] : []),
    ]),
  ]
}

const isUpload = ({ tags, requestBody }: JsonObject): boolean =>
  requestBody !== undefined && (tags as string[])[0] === 'Ingestion'

/** Whether an id in the request may be unknown. */
function namesSomething({ path, content }: Operation): boolean {
  return (
    path.includes('{') || /_ids?"/.test(JSON.stringify([content.parameters, content.requestBody]))
  )
}

function answersOnlyJson({ responses }: JsonObject): boolean {
  return Object.values(responses as Record<string, JsonObject>).every(({ content = {} }) =>
    Object.keys(content as JsonObject).every((type) => type === 'application/json'),
  )
}
