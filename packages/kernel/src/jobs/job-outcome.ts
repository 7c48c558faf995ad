import { AppError } from '../errors.ts'

/**
 * State of a job: it waits for a worker, for its time, or for its next attempt after a failure; it
 * runs; or it was given up.
 */
export const JOB_STATES = ['waiting', 'scheduled', 'running', 'failing', 'given_up'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Reason for which a job failed, without any data of its subject. */
export interface JobFailure {
  /** Class of the error. */
  name: string
  code: string | null
  /** Message of the error; only for errors of Salus, whose messages are constant. */
  message: string | null
  /** File and line in which it was thrown. */
  at: string | null
}

/**
 * The form in which the queue stores an error. The error's own message may quote a row, as those of
 * drivers do, and jobs outlive the users that they are about.
 */
export class DescribedFailure extends Error {
  constructor(error: unknown) {
    super(JSON.stringify(describeFailure(error)))
    this.name = 'DescribedFailure'
  }
}

function describeFailure(error: unknown): JobFailure {
  if (!(error instanceof Error)) return { name: 'NonError', code: null, message: null, at: null }
  const isOurs = error instanceof AppError
  const code = isOurs ? error.errorType : 'code' in error ? error.code : null
  return {
    name: error.name,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    message: isOurs ? error.message : null,
    at:
      /packages\/([^\s)]+:\d+):\d+/.exec(error.stack?.replace(error.message, '') ?? '')?.[1] ??
      null,
  }
}

/** Reads a stored error; null for what the queue wrote itself, or before this form existed. */
export function readFailure(text: string | null): JobFailure | null {
  if (text === null || !text.startsWith('{"name":')) return null
  try {
    return JSON.parse(text) as JobFailure
  } catch {
    return null
  }
}
