import { createHash } from 'node:crypto'
import type { Scope } from '@salus/kernel/scope'
import type { LinkContext } from './link.context.ts'
import { stateAt } from './link.machine.ts'
import type { LinkToken } from './link.schema.ts'
import type { LinkAccess } from './link-authentication.ts'
import { LinkError } from './link-errors.registry.ts'
import { insertLinkSession } from './link-sessions.repository.ts'
import { signLinkToken } from './link-token.ts'

/**
 * Returns the continuation of a session, for a page that holds its link token. The token itself
 * cannot serve: vendors and redirects see it as the OAuth state, and it is worth nothing after a
 * connection.
 */
export function signContinuation(
  { secrets }: LinkContext,
  { session, environment }: LinkAccess,
  baseUrl: string,
): Promise<string> {
  const { id, user_id: userId, created_at: issuedAt, expires_at: expiresAt } = session
  const { teamId } = environment
  const claims = { id, teamId, userId, issuedAt, expiresAt }
  return signLinkToken(secrets, baseUrl, claims, 'continuation')
}

/**
 * Starts the session after one that has connected an account: for the same user, with the same
 * choices, and until the same end. Called again, it returns the same session.
 * @throws LinkError `token_not_validated` before a connection, `token_expired`, `token_consumed`
 *   when the further session was used
 */
export async function continueLink(
  scope: Scope,
  { secrets }: LinkContext,
  { session, user }: LinkAccess,
  baseUrl: string,
): Promise<LinkToken> {
  const now = scope.clock.now()
  if (now >= session.expires_at) throw new LinkError('token_expired')
  if (stateAt(session, now) !== 'consumed' || session.fixed_provider !== null) {
    throw new LinkError('token_not_validated')
  }
  const id = idAfter(session.id)
  const { redirect_url, filter_on_providers, on_error, on_close, expires_at } = session
  await scope.transaction((tx) =>
    insertLinkSession(tx, {
      id,
      user_id: user.id,
      fixed_provider: null,
      redirect_url,
      filter_on_providers,
      on_error,
      on_close,
      created_at: now,
      expires_at,
    }),
  )
  const claims = {
    id,
    teamId: scope.environment.teamId,
    userId: user.id,
    issuedAt: now,
    expiresAt: expires_at,
  }
  const token = await signLinkToken(secrets, baseUrl, claims)
  return { link_token: token, link_web_url: `${baseUrl}/link?token=${token}` }
}

/**
 * Returns the id of the session after another (UUID version 8). It follows from that of the first,
 * so that one connection leads to one further session, however often a page asks.
 */
function idAfter(id: string): string {
  const hash = createHash('sha256').update(`link session after ${id}`).digest('hex')
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return [...parts, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-')
}
