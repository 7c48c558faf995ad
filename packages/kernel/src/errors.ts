import type { ErrorStatus, ErrorType, ErrorTypeOf, ProblemType } from './errors.registry.ts'

/**
 * The one error class of the service. Messages are constant text; values that vary go into `extra`,
 * and neither may hold personal or health data.
 */
export class AppError<S extends ErrorStatus = ErrorStatus> extends Error {
  readonly status: ErrorStatus
  readonly errorType: ErrorType
  readonly extra: Record<string, unknown>

  /** @param errorType Code that errors.registry.ts has with this status. */
  constructor(
    status: S,
    errorType: ErrorTypeOf<S>,
    message: string,
    extra: Record<string, unknown> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'AppError'
    this.status = status
    this.errorType = errorType
    this.extra = extra
  }
}

export type InputPart = 'path' | 'query' | 'header' | 'body'

/**
 * One entry of a 422 body: the location, the problem in words, and its code
 * (docs/contract/01-conventions.md#errors).
 */
export interface InputProblem {
  loc: [InputPart, ...(string | number)[]]
  msg: string
  type: ProblemType
}

/** A request that does not match its schema: 422 with one entry for each problem. */
export class InputError extends AppError<422> {
  readonly problems: InputProblem[]

  constructor(problems: InputProblem[]) {
    super(422, 'validation_error', 'The request does not match its schema.')
    this.name = 'InputError'
    this.problems = problems
  }
}

/**
 * More requests in one minute, or in another window, than a limit allows: 429 until the window
 * ends.
 */
export class RateLimitError extends AppError<429> {
  readonly retryAfterSeconds: number

  constructor(now: Date, retryAfterSeconds = 60 - now.getUTCSeconds()) {
    super(429, 'rate_limited', 'Too many requests. Wait, and try again.')
    this.name = 'RateLimitError'
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Creates a 422 about one field. */
export function invalidInput(loc: InputProblem['loc'], msg: string, type: ProblemType): InputError {
  return new InputError([{ loc, msg, type }])
}

/** @param extra Fields of the body beside the code and the message. */
export function badRequest(
  errorType: ErrorTypeOf<400>,
  message: string,
  extra?: Record<string, unknown>,
): AppError {
  return new AppError(400, errorType, message, extra)
}

/**
 * Creates a 404 for an unknown id and for an id of another team alike, so that existence never
 * leaks.
 */
export function notFound(what: string): AppError {
  return new AppError(404, 'not_found', `${what} not found.`)
}

/**
 * Creates a 404 as notFound does, for the laboratory endpoints, which answer with a code
 * (docs/contract/10-labs-and-tests.md#how-to-read-the-pages-of-laboratories).
 */
export function notFoundCode(code: ErrorTypeOf<404>): AppError {
  return new AppError(404, code, code)
}

/** Creates a 401: the key, token or session is missing, unknown or expired. */
export function unauthorized(errorType: ErrorTypeOf<401>, message: string): AppError {
  return new AppError(401, errorType, message)
}

/** Creates a 403: the caller is known, and may not do this. */
export function forbidden(errorType: ErrorTypeOf<403>, message: string): AppError {
  return new AppError(403, errorType, message)
}

/**
 * Creates a 409: the request conflicts with something that exists or has changed meanwhile.
 * @param extra Fields of the body besides the code and the message.
 */
export function conflict(
  errorType: ErrorTypeOf<409>,
  message: string,
  extra?: Record<string, unknown>,
): AppError {
  return new AppError(409, errorType, message, extra)
}

/**
 * The process cannot start or continue. `message` is one line that says what is wrong and what to
 * do; main.ts prints it without a stack trace and exits with 1.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupError'
  }
}

/** Code of a trigger: people who are being switched to another shard are not written to. */
const HELD_CODE = 'SM001'

/** Whether a write was refused because its person is being switched to another shard. */
export const isHeld = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === HELD_CODE

/**
 * Codes of a store that cannot be reached, or is about to stop: the same request may work in a
 * moment.
 */
const STORE_DOWN_CODES = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // PostgreSQL: connections that failed or were refused
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // shutting down, crashed, starting up, connection idle for too long, too many connections
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  // and chosen as the victim of a deadlock
  '40P01',
  // the person is being switched to another shard of ClickHouse
  HELD_CODE,
])

/**
 * Code of all refusals of PgBouncer, such as `server conn crashed?` and `server login has been
 * failing`. PostgreSQL has it for statements that break the protocol.
 */
const POOLER_CODE = '08P01'

/** Messages of the driver for a connection that broke, which come without a code. */
const BROKEN_CONNECTION =
  /^Connection terminated|^timeout (exceeded|expired)|not queryable$|^Cannot use a pool after calling end/

/**
 * ClickHouse: a server of a cluster could not reach the others that hold the rows, or too few of
 * them to store some reliably.
 */
const SHARD_DOWN_CODES = new Set<unknown>([
  32, 198, 209, 210, 225, 242, 279, 285, 286, 319, 369, 999,
])

/**
 * ClickHouse has reached its maximum of queries, threads or parts, or is about to stop and ended
 * what ran.
 */
const CLICKHOUSE_BUSY_CODES = new Set<unknown>([202, 236, 252, 394, 439])

/**
 * Whether a part of a store does not answer, which does not affect users whose data are elsewhere.
 */
export function isShardDown(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.name === 'ClickHouseError'
    ? SHARD_DOWN_CODES.has(error.code)
    : false
}

/**
 * Whether a store cannot be reached, has too much to do, or is about to stop: the same request may
 * work in a moment.
 */
export function isStoreDown(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  // Code 0 of a ClickHouseError is a connection that failed.
  if (error.name === 'ClickHouseError') {
    return code === 0 || isShardDown(error) || CLICKHOUSE_BUSY_CODES.has(code)
  }
  const isPoolers = code === POOLER_CODE && 'severity' in error && error.severity === 'FATAL'
  return STORE_DOWN_CODES.has(code) || isPoolers || BROKEN_CONNECTION.test(error.message)
}

/** Whether PostgreSQL, the system or ClickHouse reported that a disk is full. */
export function isStoreFull(error: Error): boolean {
  const code = 'code' in error ? error.code : undefined
  if (error.name === 'ClickHouseError') return code === 243
  return code === '53100' || code === 'ENOSPC'
}

/**
 * Whether the error has nothing to do with the request: a store does not answer, is full, or has
 * too much to do.
 */
export function isStoreTrouble(error: unknown): boolean {
  if (error instanceof AppError) return error.status === 503
  return error instanceof Error && (isStoreDown(error) || isStoreFull(error))
}
