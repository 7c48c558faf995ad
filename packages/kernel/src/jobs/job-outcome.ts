import { AppError } from '../errors.ts'

/**
 * What a job is at: it waits for a worker, for its time, or for its next attempt after a failure;
 * it runs; or it was given up.
 */
export const JOB_STATES = ['waiting', 'scheduled', 'running', 'failing', 'given_up'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Why a job failed, without anything of what it was about. */
export interface JobFailure {
  /** Class of the error. */
  name: string
  code: string | null
  /** Only of errors of Salus, whose messages are constant. */
  message: string | null
  /** File and line where it was thrown. */
  at: string | null
}

/**
 * What the queue keeps of an error. Its own message may quote a row, as those of drivers do, and
 * jobs outlive the people that they are about.
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

/** What the queue kept; null for what it wrote itself, or before it was kept in this form. */
export function readFailure(text: string | null): JobFailure | null {
  if (text === null || !text.startsWith('{"name":')) return null
  try {
    return JSON.parse(text) as JobFailure
  } catch {
    return null
  }
}
