/** An error of a request: what the server refused, or that it could not be reached. */
export class ApiError extends Error {
  /** HTTP status of the response; 0 when there was none. */
  readonly status: number
  /**
   * The code of docs/errors.md: `validation_error` for wrong input, `offline` without a response.
   */
  readonly errorType: string
  /**
   * The whole `detail` of the response: facts beside code and message, or the errors of each field.
   */
  readonly detail: unknown

  constructor(status: number, errorType: string, message: string, detail: unknown) {
    super(message)
    this.status = status
    this.errorType = errorType
    this.detail = detail
  }
}

interface InvalidField {
  loc: (string | number)[]
  msg: string
}

const isInvalidField = (item: unknown): item is InvalidField =>
  typeof item === 'object' && item !== null && 'loc' in item && 'msg' in item

/**
 * Returns the messages of invalid fields, by path such as `patient.dob`; empty for other errors.
 */
export function invalidFieldsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || !Array.isArray(error.detail)) return {}
  const fields = error.detail
    .filter(isInvalidField)
    .map(({ loc, msg }) => [loc.slice(1).join('.'), msg] as const)
  return Object.fromEntries(fields)
}

/** Makes an error of the body of an error response (docs/errors.md). */
export function toApiError(status: number, body: unknown): ApiError {
  const detail = (body as { detail?: unknown } | undefined)?.detail
  if (Array.isArray(detail)) {
    const [first] = detail.filter(isInvalidField)
    const text = first === undefined ? 'The input is not valid.' : describeField(first)
    return new ApiError(status, 'validation_error', text, detail)
  }
  const { error_type: type, error_message, permission } = (detail ?? {}) as Record<string, unknown>
  const message = permission
    ? `Your role does not include the permission ${permission}.`
    : error_message
  return new ApiError(
    status,
    typeof type === 'string' ? type : 'unknown',
    typeof message === 'string' ? message : `The server answered with status ${status}.`,
    detail,
  )
}

function describeField({ loc, msg }: InvalidField): string {
  const path = loc.slice(1).join('.')
  return path === '' ? msg : `${path}: ${msg}`
}
