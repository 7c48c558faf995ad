import { HOUR_MS } from '@salus/contracts/time-units'

/** Failures of an endpoint since its last success. */
export interface EndpointHealth {
  firstFailureAt: Date | null
  lastFailureAt: Date | null
  failures: number
  /** Start of the days after which the endpoint is disabled. */
  failingSince: Date | null
}

export const HEALTHY: EndpointHealth = {
  firstFailureAt: null,
  lastFailureAt: null,
  failures: 0,
  failingSince: null,
}

/** Failures further apart than this do not belong to one problem. */
const LONGEST_GAP_MS = 24 * HOUR_MS
/** An endpoint is failing when several failures are at least this far apart. */
const LEAST_SPAN_MS = 12 * HOUR_MS
const SEVERAL = 3
/** An endpoint that fails for this long is disabled. */
export const DISABLED_AFTER_MS = 5 * 24 * HOUR_MS

/**
 * Returns the health after a failed attempt
 * (docs/contract/08-webhooks-and-events.md#delivery-and-retries).
 */
export function afterFailure(health: EndpointHealth, at: Date): EndpointHealth {
  const { firstFailureAt, lastFailureAt, failures, failingSince } = health
  const isNewTrouble =
    firstFailureAt === null ||
    lastFailureAt === null ||
    (failingSince === null && at.getTime() - lastFailureAt.getTime() > LONGEST_GAP_MS)
  if (isNewTrouble) {
    return { firstFailureAt: at, lastFailureAt: at, failures: 1, failingSince: null }
  }
  const isLasting =
    failures + 1 >= SEVERAL && at.getTime() - firstFailureAt.getTime() >= LEAST_SPAN_MS
  return {
    firstFailureAt,
    lastFailureAt: at,
    failures: failures + 1,
    failingSince: failingSince ?? (isLasting ? at : null),
  }
}

/** True when every attempt has failed for so long that the endpoint has to be disabled. */
export function isGivenUp({ failingSince }: EndpointHealth, at: Date): boolean {
  return failingSince !== null && at.getTime() - failingSince.getTime() >= DISABLED_AFTER_MS
}
