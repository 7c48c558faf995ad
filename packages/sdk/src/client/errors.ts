import type { ErrorType } from '../api/types.generated.ts'

/** Base class of every error of the SDK. Messages never contain data of requests or responses. */
export class SalusError extends Error {
  // Repeated in each class: bundlers shorten the names of classes.
  override name = 'SalusError'
}

/** There was no response, or it was cut off. Whether the request had an effect is unknown. */
export class ConnectionError extends SalusError {
  override name = 'ConnectionError'
}

/** There was no response in time. Whether the request had an effect is unknown. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** One entry of a 422: the path of the field, the message and its code. */
export interface InputProblem {
  loc: (string | number)[]
  msg: string
  type: string
}

interface Refusal {
  status: number
  errorType?: ErrorType | (string & {})
  message: string
  body: unknown
  headers: Headers
}

/** The server refused the request. The class depends on the status, `errorType` is the reason. */
export class ApiError extends SalusError {
  override name = 'ApiError'
  readonly status: number
  /** Code of the error (docs/errors.md); undefined where the server sends none. */
  readonly errorType: ErrorType | (string & {}) | undefined
  /** Body of the response, parsed if it is JSON. */
  readonly body: unknown
  readonly #headers: Headers

  constructor({ status, errorType, message, body, headers }: Refusal) {
    super(message)
    this.status = status
    this.errorType = errorType
    this.body = body
    this.#headers = headers
  }

  get headers(): Headers {
    return this.#headers
  }

  /** Id of the request, which the log of the server also contains. */
  get requestId(): string | undefined {
    return this.headers.get('x-request-id') ?? undefined
  }

  /** Further fields of an error, such as the `user_id` of a `client_user_id` that is taken. */
  get detail(): Record<string, unknown> {
    const detail = detailOf(this.body)
    return typeof detail === 'object' && detail !== null && !Array.isArray(detail)
      ? (detail as Record<string, unknown>)
      : {}
  }
}

/** 400 */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}
/** 401: the credential is missing, unknown or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}
/** 403 */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}
/** 404: also for an id of another team or environment. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
/** 409 */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
/** 413 */
export class TooLargeError extends ApiError {
  override name = 'TooLargeError'
}
/** 422: `problems` lists the invalid fields. */
export class InvalidInputError extends ApiError {
  override name = 'InvalidInputError'
  get problems(): InputProblem[] {
    const detail = detailOf(this.body)
    return Array.isArray(detail) ? detail : []
  }
}
/** 429 */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
  /** Seconds to wait, from the server. */
  get retryAfterSeconds(): number | undefined {
    return readRetryAfter(this.headers)
  }
}
/** 500 and above. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

const CLASSES = new Map([
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [413, TooLargeError],
  [422, InvalidInputError],
  [429, RateLimitError],
])

/** Creates the error of an error response. */
export function toApiError(status: number, headers: Headers, text: string): ApiError {
  const body = parseJson(text)
  const { errorType, message } = explainDetail(detailOf(body))
  const Class = CLASSES.get(status) ?? (status >= 500 ? ServerError : ApiError)
  return new Class({
    status,
    errorType,
    message: `${status}${errorType ? ` ${errorType}` : ''}: ${message || 'The server refused the request.'}`,
    body,
    headers,
  })
}

/** Explains an error body: an object, a text (404) or a list (422). */
function explainDetail(detail: unknown): { errorType?: string; message: string } {
  if (typeof detail === 'string') {
    // Laboratory endpoints send a code there, other endpoints a sentence.
    return { errorType: /^[a-z_]+$/.test(detail) ? detail : 'not_found', message: detail }
  }
  if (Array.isArray(detail)) {
    const problems = (detail as Partial<InputProblem>[]).map(
      ({ loc = [], msg = '' }) => `${loc.join('.')}: ${msg}`,
    )
    return { errorType: 'validation_error', message: problems.join('; ') }
  }
  if (typeof detail !== 'object' || detail === null) return { message: '' }
  const { error_type: errorType, error_message: message = '' } = detail as Record<string, string>
  return { ...(errorType !== undefined && { errorType }), message }
}

function detailOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? (body as { detail?: unknown }).detail : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the seconds of a `Retry-After`, which is a number or a date. */
export function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
