import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@salus/contracts/time-units'

/**
 * Milliseconds from each failure to the next attempt
 * (docs/contract/08-webhooks-and-events.md#delivery-and-retries).
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
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
