const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * Milliseconds from each failure to the next attempt
 * (docs/contract/08-webhooks-and-events.md#delivery-and-retries).
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
]

/**
 * Returns the time of the next attempt after a number of failures, or null when the message has
 * failed.
 * @param failures Number of failures of this run through the schedule, including the present one.
 */
export function nextAttemptAt(failures: number, failedAt: Date): Date | null {
  const delay = RETRY_DELAYS_MS[failures - 1]
  return delay === undefined ? null : new Date(failedAt.getTime() + delay)
}
