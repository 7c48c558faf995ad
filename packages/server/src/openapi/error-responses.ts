import { ERROR_TYPES, type ErrorRow, type ErrorType } from '@salus/kernel/errors.registry'
import type { Json, JsonObject, Operation } from './document-parts.ts'
import { isFhir, toFhirErrors } from './fhir-errors.ts'

const TEXT: JsonObject = { type: 'string' }
const RETRY_AFTER: JsonObject = {
  'Retry-After': {
    description: 'Number of seconds to wait before the request is sent again.',
    schema: { type: 'integer' },
    example: 1,
  },
}

/**
 * Bodies of errors (docs/contract/01-conventions.md#errors): a code for most, a text for 404, a
 * list for 422.
 */
const Refusal: JsonObject = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'object',
      description: 'Error; some codes have further fields.',
      required: ['error_type'],
      properties: {
        error_type: { ...TEXT, description: 'Code of the error, for programs.' },
        error_message: { ...TEXT, description: 'Explanation for people; the text may change.' },
      },
    },
  },
}
const NotFound: JsonObject = {
  type: 'object',
  properties: { detail: { ...TEXT, description: 'Explanation of what was not found.' } },
}
/** docs/contract/01-conventions.md#body-shapes */
const DuplicateUser: JsonObject = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'object',
      required: ['error_type', 'error_message', 'user_id', 'created_on'],
      properties: {
        error_type: { type: 'string', enum: ['INVALID_REQUEST'] },
        error_message: { ...TEXT, description: 'Explanation for people; the text may change.' },
        user_id: {
          ...TEXT,
          format: 'uuid',
          description: 'Id of the user who has the client_user_id.',
        },
        created_on: {
          ...TEXT,
          format: 'date-time',
          description: 'Time at which that user was created.',
        },
      },
    },
  },
}
const InvalidRequest: JsonObject = {
  type: 'object',
  properties: {
    detail: {
      type: 'array',
      description: 'List of all problems of the request.',
      items: {
        type: 'object',
        properties: {
          loc: {
            type: 'array',
            items: {},
            description: 'Location of the problem: the part of the request, then the field.',
          },
          msg: { ...TEXT, description: 'Explanation of the problem, for people.' },
          type: { ...TEXT, description: 'Code of the problem, for programs.' },
        },
      },
    },
  },
}
const PROBLEM = { loc: ['query', 'start_date'], msg: 'Field required', type: 'missing' }

export const ERROR_SCHEMAS = { Refusal, NotFound, InvalidRequest, DuplicateUser }

const refer = (kind: string, name: string): JsonObject => ({ $ref: `#/components/${kind}/${name}` })
const exampleOf = (code: ErrorType): JsonObject => ({
  detail: { error_type: code, error_message: ERROR_TYPES[code][1] },
})

const answer = (schema: string, description: string, example: Json): JsonObject => ({
  description,
  content: { 'application/json': { schema: refer('schemas', schema), example } },
})
const refusal = (code: ErrorType, description: string): JsonObject =>
  answer('Refusal', description, exampleOf(code))

/** Errors of keys and tokens that are limited to a user, to reading, or to permissions. */
const REACH: ErrorType[] = ['own_user_only', 'one_user_only', 'read_only', 'insufficient_scope']

/** Error responses that operations share. */
export const ERROR_RESPONSES: JsonObject = {
  Unauthorized: refusal('invalid_api_key', 'The credential is missing, unknown or expired.'),
  NotFound: answer('NotFound', 'The id is unknown or belongs to another team.', {
    detail: 'User not found.',
  }),
  OutOfReach: {
    description: 'The key or token does not give access to this; `error_type` says why.',
    content: {
      'application/json': {
        schema: refer('schemas', 'Refusal'),
        examples: Object.fromEntries(REACH.map((code) => [code, refer('examples', code)])),
      },
    },
  },
  NotAcceptable: refusal(
    'not_acceptable',
    'The answer cannot be given in a media type that the request accepts.',
  ),
  TooLarge: refusal('body_too_large', 'The body is larger than the limit.'),
  UnsupportedMediaType: refusal(
    'unsupported_media_type',
    'The media type of the body is not supported.',
  ),
  Invalid: answer('InvalidRequest', 'The request does not match the schema.', {
    detail: [PROBLEM],
  }),
  RateLimited: {
    ...refusal('rate_limited', 'The rate limit is exceeded.'),
    headers: RETRY_AFTER,
  },
  Unavailable: {
    ...refusal(
      'store_unavailable',
      'The server is overloaded or stopping, or a database does not answer.',
    ),
    headers: RETRY_AFTER,
  },
  Refused: refusal(
    'internal_error',
    'The request was refused for another reason, or the server failed.',
  ),
}

/** Returns one example for each code, which operations refer to. */
export const errorExamples = (codes: Iterable<ErrorType>): JsonObject =>
  Object.fromEntries(
    [...codes]
      .sort()
      .map((code) => [code, { summary: ERROR_TYPES[code][1], value: exampleOf(code) }]),
  )

/** Declares the errors of the operation, and returns codes that need an example. */
export function addErrorResponses(operation: Operation): ErrorType[] {
  const { content } = operation
  const codes = codesOf(operation)
  const statuses = new Set(codes.map((code) => ERROR_TYPES[code][0]))
  const hasBody = content.requestBody !== undefined
  const hasInput = hasBody || ((content.parameters ?? []) as Json[]).length > 0
  const shared: Record<string, string | false> = {
    401: 'Unauthorized',
    403: codes.includes('one_user_only') && 'OutOfReach',
    404: (namesSomething(operation) || isNotFoundNamed(operation)) && 'NotFound',
    406: 'NotAcceptable',
    413: hasBody && 'TooLarge',
    415: hasBody && 'UnsupportedMediaType',
    422: hasInput && 'Invalid',
    429: 'RateLimited',
    503: 'Unavailable',
    default: 'Refused',
  }
  const errors: JsonObject = {}
  for (const [status, name] of Object.entries(shared)) {
    if (name !== false) errors[status] = refer('responses', name)
  }
  for (const status of statuses) {
    const isShared = codes.every((code) => ERROR_TYPES[code][0] !== status || isOfReach(code))
    if (!isShared) errors[status] = coded(status, codes)
  }
  const shown = isFhir(operation) ? toFhirErrors(errors, codes, operation) : errors
  content.responses = { ...(content.responses as JsonObject), ...shown }
  return isFhir(operation) ? [] : codes
}

const isOfReach = (code: ErrorType): boolean => REACH.includes(code)

function coded(status: number, all: readonly ErrorType[]): JsonObject {
  const codes = all.filter((code) => ERROR_TYPES[code][0] === status)
  const words = codes.map((code) => `\`${code}\``).join(', ')
  const examples = Object.fromEntries(codes.map((code) => [code, refer('examples', code)]))
  return {
    description: `The request is refused; \`error_type\` is ${words}.`,
    ...(status === 429 && { headers: RETRY_AFTER }),
    content: { 'application/json': { schema: schemaOf(codes), examples } },
  }
}

/** Returns the schema of an error, with the additional fields of some codes. */
function schemaOf(codes: readonly ErrorType[]): JsonObject {
  const refusal = refer('schemas', 'Refusal')
  return codes.includes('INVALID_REQUEST')
    ? { anyOf: [refer('schemas', 'DuplicateUser'), refusal] }
    : refusal
}

/** Codes of each operation that the table names; a 404 has a text and is the same everywhere. */
const CODES_OF_OPERATION = new Map<string, ErrorType[]>()
for (const [code, [status, , where]] of Object.entries<ErrorRow>(ERROR_TYPES)) {
  for (const id of status === 404 || typeof where === 'string' ? [] : (where ?? [])) {
    CODES_OF_OPERATION.set(id, [...(CODES_OF_OPERATION.get(id) ?? []), code as ErrorType])
  }
}

const takes = ({ content }: Operation, parameter: string): boolean =>
  ((content.parameters ?? []) as JsonObject[]).some(({ name }) => name === parameter)

/** Codes that follow from the input or the path of an operation: a description, and a rule. */
export const CODE_RULES: readonly [ErrorType, string, (operation: Operation) => boolean][] = [
  ['invalid_date_range', 'operations that take `start_date`', (one) => takes(one, 'start_date')],
  [
    'range_too_large',
    'summaries and merged reads that take `start_date`',
    (one) => takes(one, 'start_date') && /summary|merged/.test(one.path),
  ],
  ['invalid_cursor', 'operations that take `next_cursor`', (one) => takes(one, 'next_cursor')],
  // Listed where 413 has further codes; elsewhere the shared response covers it.
  [
    'body_too_large',
    'operations that take a body',
    ({ content }) => JSON.stringify(content.requestBody ?? '').includes('multipart/'),
  ],
  [
    'lab_account_invalid',
    'operations that take `lab_account_id`',
    (one) =>
      one.path.startsWith('/v3/lab_test') &&
      one.path !== '/v3/lab_test/lab_account' &&
      takes(one, 'lab_account_id'),
  ],
  [
    'own_user_only',
    'operations that are open to apps',
    ({ content }) => content['x-app-access'] === true,
  ],
  ['one_user_only', 'operations that are open to keys of a team', takesTeamKey],
  [
    'read_only',
    'operations by which keys of a team change something',
    (one) => takesTeamKey(one) && one.method !== 'GET',
  ],
  [
    'insufficient_scope',
    'operations with `x-permissions`',
    ({ content }) => content['x-permissions'] !== undefined,
  ],
  ['not_connected', 'uploads', ({ content }) => isUpload(content)],
  ['invalid_gzip', 'uploads', ({ content }) => isUpload(content)],
  [
    'role_too_low',
    'paths under `/v1`',
    ({ path, content }) => path.startsWith('/v1/') && content.security === undefined,
  ],
]

function codesOf(operation: Operation): ErrorType[] {
  const own = CODES_OF_OPERATION.get(String(operation.content.operationId)) ?? []
  const following = CODE_RULES.filter(([, , applies]) => applies(operation))
  return [...new Set([...own, ...following.map(([code]) => code)])]
}

/** Operations for which a row of the table names a 404 of their own. */
const NOT_FOUND_NAMED = new Set(
  Object.values<ErrorRow>(ERROR_TYPES).flatMap(([status, , where]) =>
    status === 404 && Array.isArray(where) ? where : [],
  ),
)
const isNotFoundNamed = ({ content }: Operation): boolean =>
  NOT_FOUND_NAMED.has(String(content.operationId))

/** Whether a key of a team, which may be limited to a user or to reading, gives access to it. */
function takesTeamKey({ path, content }: Operation): boolean {
  return (
    !path.startsWith('/v1/') &&
    content.security === undefined &&
    content['x-link-token'] !== true &&
    content['x-console-session'] !== true &&
    content['x-portal-session'] !== true
  )
}

const isUpload = ({ tags, requestBody }: JsonObject): boolean =>
  requestBody !== undefined && (tags as string[])[0] === 'Ingestion'

/** Whether an id in the request may be unknown. */
function namesSomething({ path, content }: Operation): boolean {
  return (
    path.includes('{') || /_ids?"/.test(JSON.stringify([content.parameters, content.requestBody]))
  )
}
