import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Schedule } from './invalidation/invalidations.global.repository.ts'

/**
 * Least gap between two evaluations that a query may ask for, and that it gets when it asks for
 * none.
 */
export const LEAST_GAP_SECONDS = 1800

/** When queries are evaluated (docs/contract/09-aggregate.md#continuous-queries). */
export const SCHEDULE: Schedule = {
  delaySeconds: 60,
  gapSeconds: LEAST_GAP_SECONDS,
  restSeconds: 5,
}

/**
 * Data are invalidated before they are stored. An evaluation removes an invalidation only when the
 * last change was noted this long before, because what was noted later may not have been stored
 * when it read.
 */
export const SETTLED_MS = 30_000

/**
 * How long a claimed invalidation is left to the process that claimed it; longer than its work
 * takes.
 */
export const CLAIM_MS = 600_000

const BACK_OFF_MINUTES = [1, 5, 15, 60, 360]

/** Time until the next try after so many failures in a row. */
export function backOffMs(failures: number): number {
  const last = BACK_OFF_MINUTES.length - 1
  return (BACK_OFF_MINUTES[Math.min(failures, last + 1) - 1] ?? 1) * MINUTE_MS
}
