/** Next step of a person: the same step again, another provider, or a new start. */
export type NextStep = 'try_again' | 'choose_another' | 'start_again'

/**
 * Failures by error_type: those of docs/contract/03-link.md#linkerrortype-and-conditions, and
 * those of the page itself.
 */
const FAILURES = {
  invalid_token: { next: [] },
  token_expired: { next: [] },
  token_consumed: { next: [] },
  token_not_validated: { next: ['start_again'] },
  provider_credential_error: { next: ['try_again', 'choose_another'] },
  provider_password_expired: { next: ['try_again', 'choose_another'] },
  provider_consent_needed: { next: ['try_again', 'choose_another'] },
  provider_nothing_shared: { next: ['try_again', 'choose_another'] },
  provider_blocked: { next: ['try_again', 'choose_another'] },
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

/** Other names of the same failures. */
const SYNONYMS: Record<string, FailureType> = {
  missing_link_token: 'invalid_token',
  provider_not_available: 'provider_not_configured',
}

/** Returns the failure of an error type; unknown types of later versions are general faults. */
export function failureOf(errorType: string | null | undefined): FailureType {
  const known = SYNONYMS[errorType ?? ''] ?? errorType ?? ''
  return Object.hasOwn(FAILURES, known) ? (known as FailureType) : 'unavailable'
}

interface FailurePage {
  title: `fail_${FailureType}_title`
  text: `fail_${FailureType}`
  next: readonly NextStep[]
}

/** Returns the texts of a failure, and its next steps, the best first. */
export function failurePageOf(type: FailureType): FailurePage {
  return { title: `fail_${type}_title`, text: `fail_${type}`, next: FAILURES[type].next }
}
