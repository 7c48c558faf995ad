import { CliError } from '../terminal/cli-error.ts'

/** The server refused the request. */
export class ApiError extends CliError {
  readonly status: number
  /** Type in the error body; empty for a 404, which has none. */
  readonly errorType: string

  constructor(status: number, errorType: string, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errorType = errorType
  }
}

/** Another service responded, or a proxy whose server is away. */
export class ForeignAnswerError extends ApiError {
  constructor(url: string, status: number) {
    const advice = 'Check --url or SALUS_URL.'
    super(status, '', `${url} is not a Salus server (HTTP ${status}). ${advice}`)
    this.name = 'ForeignAnswerError'
  }
}

/** No server responded: it does not run, or the connection broke. */
export class UnreachableError extends CliError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreachableError'
  }
}
