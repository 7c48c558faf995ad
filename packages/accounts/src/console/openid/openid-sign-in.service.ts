import type { Logger } from '@salus/kernel/log'
import {
  type ConsoleContext,
  type StartedSession,
  startSession,
} from '../console-sessions.service.ts'
import { findKeyOfPerson } from './identities.service.ts'
import type { Claims, OpenIdProvider, SignInChecks } from './openid-client.ts'

/** Reason for which a sign-in failed; the sign-in page explains it. */
export type SignInFailure = 'cancelled' | 'no_role' | 'unreachable' | 'failed'

export interface OpenIdContext extends ConsoleContext {
  log: Logger
  provider: OpenIdProvider
}

type Begun = Awaited<ReturnType<OpenIdProvider['beginSignIn']>>

/** Returns the URL to redirect the browser to, and the values to store until it comes back. */
export async function beginSignIn(
  { provider, log }: OpenIdContext,
  redirectUri: string,
): Promise<Begun | SignInFailure> {
  try {
    return await provider.beginSignIn(redirectUri)
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'the OpenID Connect provider does not answer')
    return 'unreachable'
  }
}

/**
 * Starts the session of a user who came back from the provider.
 * @param callbackUrl Redirect URL with the query that the browser sent
 * @param previousToken Token of the browser's previous session
 */
export async function finishSignIn(
  context: OpenIdContext,
  callbackUrl: URL,
  checks: SignInChecks,
  previousToken: string | undefined,
): Promise<StartedSession | SignInFailure> {
  const claims = await readClaims(context, callbackUrl, checks)
  if (typeof claims === 'string') return claims
  const key = await findKeyOfPerson(context, claims, context.provider.rules)
  if (key === undefined) return 'no_role'
  return startSession(context, { key, way: 'openid_connect' }, previousToken)
}

/**
 * Reads the claims. An error of the provider or the browser signs in no user, and is logged for the
 * operator.
 */
async function readClaims(
  { provider, log }: OpenIdContext,
  callbackUrl: URL,
  checks: SignInChecks,
): Promise<Claims | SignInFailure> {
  try {
    return await provider.finishSignIn(callbackUrl, checks)
  } catch (error) {
    log.warn({ reason: reasonOf(error) }, 'a sign-in with OpenID Connect failed')
    return (error as { error?: unknown }).error === 'access_denied' ? 'cancelled' : 'failed'
  }
}

/** Returns the codes of an error; messages of the provider may contain names of users. */
function reasonOf(error: unknown): string {
  const {
    name,
    code,
    error: oauthError,
  } = error as { name?: unknown; code?: unknown; error?: unknown }
  return [name, code, oauthError].filter((part) => typeof part === 'string').join(' ')
}
