/** A statement that ClickHouse refused, or a connection that failed (`code` 0). */
export class ClickHouseError extends Error {
  /** The engine's own number, such as 60 for an unknown table. */
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'ClickHouseError'
    this.code = code
  }
}

/**
 * Errors about the shape of a statement, whose text quotes only our own SQL. Every other text may
 * quote a row or a parameter, so there only the number and its name are kept.
 */
const SHAPE_ERRORS = new Set([16, 46, 47, 57, 60, 62, 81, 456])

/**
 * Creates a ClickHouseError from an error of a driver, without the values that its text may quote.
 */
export function toClickHouseError(error: unknown): ClickHouseError {
  if (error instanceof ClickHouseError) return error
  const text = error instanceof Error ? error.message : String(error)
  const code = readCode(error, text)
  if (code === 0) return new ClickHouseError(0, `ClickHouse failed: ${connectionProblem(error)}`)
  const name = readName(error, text)
  if (!SHAPE_ERRORS.has(code))
    return new ClickHouseError(code, `ClickHouse error ${code} (${name})`)
  // After "in scope" the engine quotes the statement with its parameters filled in.
  const shape = text.replace(/^Code: \d+\. DB::Exception: /, '').split(/\s+in scope\b/i, 1)[0] ?? ''
  return new ClickHouseError(code, `ClickHouse error ${code} (${name}): ${shape.slice(0, 300)}`)
}

function readCode(error: unknown, text: string): number {
  const own = error instanceof Error && 'code' in error ? Number(error.code) : Number.NaN
  if (Number.isInteger(own)) return own
  return Number(/Code: (\d+)\./.exec(text)?.[1] ?? 0)
}

function readName(error: unknown, text: string): string {
  const own = error instanceof Error && 'type' in error ? error.type : undefined
  if (typeof own === 'string' && own !== '') return own
  return (
    text
      .match(/\(([A-Z][A-Z0-9_]{3,})\)/g)
      ?.at(-1)
      ?.slice(1, -1) ?? 'UNKNOWN'
  )
}

/**
 * Whether the connection was never made, so that the statement had no effect. This follows from the
 * name of the driver's error, which a ClickHouseError keeps.
 */
export function hasNeverReachedServer(error: unknown): boolean {
  return (
    error instanceof ClickHouseError &&
    error.code === 0 &&
    /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN/.test(error.message)
  )
}

/**
 * Whether a connection broke while a statement ran on it, such as when its server was killed: the
 * statement may have had an effect.
 */
export function hasLostServer(error: unknown): boolean {
  return (
    error instanceof ClickHouseError &&
    error.code === 0 &&
    /ECONNRESET|EPIPE|ECONNABORTED/.test(error.message)
  )
}

/** Returns the system's code for why a connection failed, such as ECONNREFUSED. */
export function connectionProblem(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof AggregateError && error.errors.length > 0) {
    return connectionProblem(error.errors[0])
  }
  if ('code' in error && typeof error.code === 'string') return error.code
  return /timeout/i.test(error.message) ? 'timeout' : error.name
}
