import type { SignInOutcome, VendorTokens } from './connector.ts'
import { VendorError, type VendorFailure } from './vendor-client.ts'

type Refusal = Extract<SignInOutcome, { state: 'refused' }>['reason']

const ended = (errorType: Extract<VendorFailure, { kind: 'ended' }>['errorType']) =>
  ({ kind: 'ended', errorType }) as const

const FAILURES: Readonly<Record<Refusal, VendorFailure>> = {
  wrong_credential: ended('provider_credential_error'),
  wrong_code: ended('provider_credential_error'),
  password_expired: ended('provider_password_expired'),
  consent_needed: ended('provider_consent_needed'),
  nothing_shared: ended('deregistered_per_provider'),
  unsupported_region: ended('unknown'),
  blocked: { kind: 'blocked', retryAfterMs: null },
}

/**
 * Returns the tokens of a sign-in that renews a session without the user.
 * @throws VendorError `ended` for what only the user can mend, such as a code; `blocked`
 */
export function renewedTokens(slug: string, outcome: SignInOutcome): VendorTokens {
  if (outcome.state === 'signed_in') return outcome.tokens
  const reason = outcome.state === 'refused' ? outcome.reason : 'wrong_credential'
  throw new VendorError(slug, FAILURES[reason])
}
