import type { Scope } from '@salus/kernel/scope'
import { VendorError } from '../../connectors/index.ts'
import { LinkError, type LinkErrorType } from '../link-errors.registry.ts'
import { wrongApp } from './app-problem.ts'

/**
 * Calls a vendor, converts its failures to link errors, and logs them for the operator.
 * @param redirectUri Of a sign-in by OAuth.
 */
export async function callVendor<Result>(
  scope: Scope,
  work: () => Promise<Result>,
  redirectUri = '',
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const { slug, failure } = error
    if (failure.kind === 'unexpected' && failure.appProblem !== undefined) {
      throw await wrongApp(scope, { slug, problem: failure.appProblem, redirectUri })
    }
    const errorType = linkErrorOf(error)
    // Contains neither the request nor the answer.
    scope.log.warn(
      { provider: error.slug, failure: error.failure.kind },
      'sign-in at a vendor failed',
    )
    throw new LinkError(errorType)
  }
}

function linkErrorOf({ failure }: VendorError): LinkErrorType {
  if (failure.kind === 'refused') return 'provider_credential_error'
  if (failure.kind === 'blocked') return 'provider_blocked'
  if (failure.kind !== 'ended') return 'provider_api_error'
  if (failure.errorType === 'provider_consent_needed') return 'provider_consent_needed'
  return failure.errorType === 'provider_password_expired'
    ? 'provider_password_expired'
    : 'provider_credential_error'
}
