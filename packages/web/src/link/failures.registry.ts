/** What a person can do next: the same again, another provider, begin again, or nothing here. */
export type NextStep = 'try_again' | 'choose_another' | 'start_again'

/**
 * By error_type: the twelve of docs/contract/03-link.md#linkerrortype-and-conditions, and what the
 * page meets itself.
 */
const FAILURES = {
  invalid_token: { next: [] },
  token_expired: { next: [] },
  token_consumed: { next: [] },
  token_not_validated: { next: ['start_again'] },
  provider_credential_error: { next: ['try_again', 'choose_another'] },
  provider_password_expired: { next: ['try_again', 'choose_another'] },
  provider_api_error: { next: ['try_again', 'choose_another'] },
  unsupported_region: { next: ['try_again', 'choose_another'] },
  duplicate_connection: { next: ['try_again', 'choose_another'] },
  required_scopes_not_granted: { next: ['try_again', 'choose_another'] },
  incorrect_mfa_code: { next: ['try_again', 'choose_another'] },
  user_cancelled: { next: ['start_again'] },
  provider_not_configured: { next: ['choose_another'] },
  offline: { next: ['try_again'] },
  unavailable: { next: ['try_again'] },
} as const satisfies Record<string, { next: readonly NextStep[] }>

export type FailureType = keyof typeof FAILURES

/** Other words for the same. */
const SYNONYMS: Record<string, FailureType> = { missing_link_token: 'invalid_token' }

/** Errors that a later version may know are faults, of which nothing more can be said. */
export function failureOf(errorType: string | null | undefined): FailureType {
  const known = SYNONYMS[errorType ?? ''] ?? errorType ?? ''
  return Object.hasOwn(FAILURES, known) ? (known as FailureType) : 'unavailable'
}

interface FailurePage {
  title: `fail_${FailureType}_title`
  text: `fail_${FailureType}`
  next: readonly NextStep[]
}

/** The texts of a failure, and what a person can do next, the best first. */
export function failurePageOf(type: FailureType): FailurePage {
  return { title: `fail_${type}_title`, text: `fail_${type}`, next: FAILURES[type].next }
}
