import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Schedule } from './invalidation/invalidations.global.repository.ts'

/** Minimum gap between two evaluations, and the default. */
export const LEAST_GAP_SECONDS = 1800

/** Delays of continuous queries (docs/contract/09-aggregate.md#continuous-queries). */
export const SCHEDULE: Schedule = {
  delaySeconds: 60,
  gapSeconds: LEAST_GAP_SECONDS,
  restSeconds: 5,
}

/**
 * Data are invalidated before they are stored. An evaluation removes an invalidation only when the
 * last change was noted this long before, because later changes may not have been stored when it
 * read.
 */
export const SETTLED_MS = 30_000

/** Duration of a claim; longer than the work of a process takes. */
export const CLAIM_MS = 600_000

const BACK_OFF_MINUTES = [1, 5, 15, 60, 360]

/** Returns the time until the next try after this many consecutive failures. */
export function backOffMs(failures: number): number {
  const last = BACK_OFF_MINUTES.length - 1
  return (BACK_OFF_MINUTES[Math.min(failures, last + 1) - 1] ?? 1) * MINUTE_MS
}
