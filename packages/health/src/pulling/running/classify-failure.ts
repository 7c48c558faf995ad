import { isStoreTrouble } from '@salus/kernel/errors'
import { VendorError, type VendorFailure } from '../../connectors/index.ts'
import { BudgetSpent } from '../access/budgets.ts'
import type { StepOutcome } from './apply-outcome.ts'

/**
 * Attempts after which a range of history is given up: with the pauses between them, some two days.
 */
const VENDOR_QUOTA = 15
/** Attempts after which a range with invalid answers is given up. */
const SENSE_QUOTA = 5
const REFUSED_QUOTA = 1

/** Returns the outcome of a pull's error for its task; undefined when the connection has ended. */
export function classifyFailure(error: unknown, cursor: string | null): StepOutcome | undefined {
  if (error instanceof BudgetSpent) {
    const { until, isBlocked } = error
    if (!isBlocked) return { kind: 'put_off', cursor, until }
    return { kind: 'failed', cursor, reason: 'provider_rate_limit_exceeded', quota: null, until }
  }
  if (error instanceof VendorError) return classifyVendorFailure(error.failure, cursor)
  if (isStoreTrouble(error)) {
    return { kind: 'failed', cursor, reason: 'resource_contention', quota: null, until: null }
  }
  return { kind: 'failed', cursor, reason: 'unexpected_error', quota: SENSE_QUOTA, until: null }
}

function classifyVendorFailure(
  failure: VendorFailure,
  cursor: string | null,
): StepOutcome | undefined {
  const failed = { kind: 'failed', cursor, until: null } as const
  switch (failure.kind) {
    case 'ended':
      return undefined
    case 'refused':
      return { ...failed, reason: 'non_retriable_error', quota: REFUSED_QUOTA }
    case 'unexpected':
      return { ...failed, reason: 'unexpected_error', quota: SENSE_QUOTA }
    case 'rate_limited':
    case 'blocked':
      return { ...failed, reason: 'provider_rate_limit_exceeded', quota: null }
    // New tokens are not accepted either: the vendor has trouble, or the next refresh reports the
    // end.
    case 'unauthorized':
    case 'unavailable':
      return { ...failed, reason: 'provider_unavailable', quota: VENDOR_QUOTA }
  }
}
