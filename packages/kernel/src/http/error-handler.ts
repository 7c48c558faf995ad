import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AppError,
  InputError,
  type InputProblem,
  isStoreDown,
  isStoreFull,
  notFound,
  RateLimitError,
} from '../errors.ts'

const FORM_TOO_LARGE = new AppError(413, 'form_too_large', 'The form has too many fields.')
const INVALID_FORM = new AppError(400, 'invalid_form', 'The body is not a valid form.')

/** Errors of the framework, with the bodies of docs/contract/01-conventions.md#errors. */
const FRAMEWORK_ERRORS: Record<string, AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError(
    413,
    'body_too_large',
    'The request body is larger than the limit of this endpoint.',
  ),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(
    415,
    'unsupported_media_type',
    'This endpoint does not support the Content-Type of the request.',
  ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new AppError(
    400,
    'invalid_content_length',
    'The length of the body is not that of Content-Length.',
  ),
  FST_PARTS_LIMIT: FORM_TOO_LARGE,
  FST_FILES_LIMIT: FORM_TOO_LARGE,
  FST_FIELDS_LIMIT: FORM_TOO_LARGE,
  FST_PROTO_VIOLATION: INVALID_FORM,
  FST_MP_PREMATURE_CLOSE: INVALID_FORM,
  FST_ERR_BAD_URL: new AppError(400, 'invalid_url', 'The URL is not valid.'),
}

/**
 * Whether a text has NUL or half a surrogate pair, which PostgreSQL cannot store in a text or in
 * JSON.
 */
function isUnstorableText(error: Error): boolean {
  const { code, detail } = error as { code?: unknown; detail?: unknown }
  if (code === '22021' || code === '22P05') return true
  // Half a surrogate pair in JSON has the same code as any malformed value, so the detail decides.
  return code === '22P02' && /^Unicode (high|low) surrogate/.test(String(detail))
}

const holdsNul = (texts: unknown): boolean =>
  Object.values(texts ?? {}).some((text) => String(text).includes('\0'))

function unstorableText({ params, query }: FastifyRequest): InputError {
  const part = holdsNul(params) ? 'path' : holdsNul(query) ? 'query' : 'body'
  const msg = 'A text holds a character that cannot be stored'
  return new InputError([{ loc: [part], msg, type: 'string_unicode' }])
}

const STORE_DOWN = new AppError(503, 'store_unavailable', 'A database does not answer. Try again.')

/** The parser of forms gives its errors no codes. */
const isMalformedForm = (error: Error): boolean =>
  /multipart data$|^Multipart: Boundary not found|^Malformed part header|^The needle cannot/.test(
    error.message,
  )

const STORE_FULL = new AppError(507, 'store_full', 'A disk of the server is full.')

const INVALID_GZIP = new AppError(400, 'invalid_gzip', 'The body is not valid gzip.')
const INVALID_ZSTD = new AppError(400, 'invalid_zstd', 'The body is not valid zstd.')
const INVALID_JSON: InputProblem = { loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }

/** Returns the error for a code of a decompression that failed. */
export function compressionFault(code: unknown): AppError | undefined {
  if (typeof code !== 'string') return undefined
  if (code.startsWith('ZSTD_error_')) return INVALID_ZSTD
  return /^Z_[A-Z]+_ERROR$/.test(code) ? INVALID_GZIP : undefined
}

function toAppError(error: FastifyError | Error, request: FastifyRequest): AppError | undefined {
  if (error instanceof AppError) return error
  const code = 'code' in error ? error.code : undefined
  if (typeof code === 'string' && code in FRAMEWORK_ERRORS) return FRAMEWORK_ERRORS[code]
  const compression = compressionFault(code)
  if (compression !== undefined) return compression
  if (isMalformedForm(error)) return INVALID_FORM
  if (isStoreFull(error)) return STORE_FULL
  if (isUnstorableText(error)) return unstorableText(request)
  const isJsonFault =
    code === 'FST_ERR_CTP_INVALID_JSON_BODY' ||
    (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400)
  return isJsonFault ? new InputError([INVALID_JSON]) : undefined
}

/**
 * Returns the body of an error (docs/contract/01-conventions.md#body-shapes): a list for 422, a
 * text for 404, an object for the rest.
 */
export function errorBody(error: AppError): { detail: unknown } {
  if (error instanceof InputError) return { detail: error.problems }
  if (error.status === 404) return { detail: error.message }
  const { errorType, message, extra } = error
  return { detail: { error_type: errorType, error_message: message, ...extra } }
}

function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: AppError,
  body: unknown,
): void {
  const isBearer = /^Bearer /i.test(request.headers.authorization ?? '')
  if (error.status === 401 && isBearer && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', 'Bearer')
  }
  if (error.status === 429 || error.status === 503) {
    const seconds = error instanceof RateLimitError ? error.retryAfterSeconds : 1
    reply.header('retry-after', String(seconds))
  }
  // Tag and serializer may be those of an answer that failed on its way.
  reply.removeHeader('etag').serializer(textOf).code(error.status).send(body)
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

const INTERNAL = new AppError(500, 'internal_error', 'Something went wrong on the server.')

/** Turns errors into answers; no other place does. */
export function registerErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
}

/** Also answers errors from before routing, such as an address that cannot be decoded. */
export function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const shown = readError(error, request)
  if (shown === undefined) return
  sendError(request, reply.type('application/json; charset=utf-8'), shown, errorBody(shown))
}

/**
 * Returns the error to answer with, and logs an unexpected one; undefined when the client is gone.
 */
function readError(error: FastifyError | Error, request: FastifyRequest): AppError | undefined {
  const known = toAppError(error, request)
  const isDown = known === undefined && isStoreDown(error)
  // A client that disconnects in the middle of its request causes the same error.
  if (isDown && request.raw.socket?.destroyed) return undefined
  if (isDown) request.log.warn({ err: error }, 'a store does not answer')
  else if (known === undefined) request.log.error({ err: error }, 'request failed')
  return known ?? (isDown ? STORE_DOWN : INTERNAL)
}

/**
 * Answers errors of the routes of a part of the application with bodies of its own.
 * @param options.ofUnknown Also those of its unknown addresses, once for each prefix.
 */
export function registerErrorBodies(
  app: FastifyInstance,
  options: { type: string; bodyOf: (error: AppError) => unknown; ofUnknown?: boolean },
): void {
  const answer = (error: AppError, request: FastifyRequest, reply: FastifyReply) =>
    sendError(request, reply.type(options.type), error, JSON.stringify(options.bodyOf(error)))
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const shown = readError(error, request)
    if (shown !== undefined) answer(shown, request, reply)
  })
  if (options.ofUnknown !== true) return
  app.setNotFoundHandler((request, reply) => answer(notFound('Route'), request, reply))
}
