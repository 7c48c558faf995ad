import type { ProviderLinkResponse } from '../link.schema.ts'
import type { LinkAccess } from '../link-authentication.ts'
import { LinkError } from '../link-errors.registry.ts'
import type { FormOutcome } from './form-sign-in.service.ts'

/** Converts an outcome to a response (docs/contract/03-link.md#providerlinkresponse). */
export function toLinkResponse(
  link: LinkAccess | LinkError,
  provider: string,
  outcome: FormOutcome | LinkError,
): ProviderLinkResponse {
  const nothing = {
    redirect_url: link instanceof LinkError ? null : link.session.redirect_url,
    ...{ error_type: null, error: null, provider_mfa: null },
    ...{ provider, connected: false, provider_id: null },
  }
  if (outcome instanceof LinkError) {
    return {
      ...nothing,
      state: 'error',
      error_type: outcome.errorType,
      error: outcome.message,
    }
  }
  if (outcome.state === 'pending_provider_mfa') {
    const { state, method, hint } = outcome
    return { ...nothing, state, provider_mfa: { method, hint } }
  }
  return {
    ...nothing,
    state: 'success',
    connected: true,
    provider_id: outcome.accountId,
  }
}
