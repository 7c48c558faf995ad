import { CliError } from '../terminal/cli-error.ts'

/** The server answered, and refused. */
export class ApiError extends CliError {
  readonly status: number
  /** As in the body of the error; empty for a 404, which has none. */
  readonly errorType: string

  constructor(status: number, errorType: string, message: string) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.errorType = errorType
  }
}

/** Something else answered: another service, or a proxy whose server is away. */
export class ForeignAnswerError extends ApiError {
  constructor(url: string, status: number) {
    const advice = 'Check --url or SALUS_URL.'
    super(status, '', `${url} does not answer as Salus does (HTTP ${status}). ${advice}`)
    this.name = 'ForeignAnswerError'
  }
}

/** No server answered: it does not run, or the connection broke. */
export class UnreachableError extends CliError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreachableError'
  }
}
