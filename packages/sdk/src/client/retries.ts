import { ApiError, ConnectionError, readRetryAfter } from './errors.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
/** A longer `Retry-After` ends the retries. */
const LONGEST_RETRY_AFTER_SECONDS = 60

/** A request whose attempt failed. */
export interface FailedAttempt {
  /** Number of the attempt, from 1. */
  attempt: number
  /**
   * Whether a repeat has no further effect: the request only reads, replaces, or carries an
   * idempotency key.
   */
  isRepeatable: boolean
  isKeyed: boolean
}

/** Returns the wait before the next attempt; undefined when there is none. */
export function pauseBeforeRetry(error: unknown, failed: FailedAttempt): number | undefined {
  if (error instanceof ApiError) {
    if (!isWorthRetrying(error, failed)) return undefined
    const seconds = readRetryAfter(error.headers)
    if (seconds !== undefined) {
      return seconds <= LONGEST_RETRY_AFTER_SECONDS ? seconds * 1000 : undefined
    }
    return backOff(failed.attempt)
  }
  if (!(error instanceof ConnectionError)) return undefined
  return failed.isRepeatable || wasNeverSent(error) ? backOff(failed.attempt) : undefined
}

function isWorthRetrying({ status, errorType }: ApiError, failed: FailedAttempt): boolean {
  // The server refused the request before it had an effect.
  if (status === 429 || errorType === 'shutting_down') return true
  // The attempt before, which had no response, is still running.
  if (errorType === 'idempotency_conflict') return failed.isKeyed && failed.attempt > 1
  return failed.isRepeatable && [408, 500, 502, 503, 504].includes(status)
}

function backOff(attempt: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1))
  // Randomized, so that clients that failed together do not return together.
  return longest * (0.5 + Math.random() / 2)
}

/** Node reports it; browsers do not. */
function wasNeverSent({ cause }: ConnectionError): boolean {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: string }
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
}

/** @throws the reason of the signal when that fires */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(end, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
