import { PartnerFailure } from '@salus/contracts/lab-partners'
import { AppError, badRequest } from '@salus/kernel/errors'
import type { Log } from '@salus/kernel/log'

/** Failures that end only when the operator does something. */
const OF_OPERATOR: readonly string[] = ['unauthorized', 'refused', 'malformed']

/**
 * Calls a partner for a request of the API.
 * @throws AppError 502 `partner_unavailable` with the reason, for a PartnerFailure
 */
export async function callLabPartner<T>(log: Log, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof PartnerFailure)) throw error
    const { partner, reason } = error
    if (OF_OPERATOR.includes(reason)) log.warn({ partner, reason }, 'a partner cannot be used')
    const message = 'A service outside of Salus gave no usable answer. Try again later.'
    const extra = { partner, reason, retry_after_seconds: error.retryAfterSeconds }
    throw new AppError(502, 'partner_unavailable', message, extra, { cause: error })
  }
}

/**
 * Returns a partner that is configured.
 * @throws AppError 400 `partner_not_configured`
 */
export function requirePartner<T>(partner: T | undefined): T {
  if (partner !== undefined) return partner
  throw badRequest('partner_not_configured', 'The operator has not configured this service.')
}
