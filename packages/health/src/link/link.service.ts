import { getClientFacingTeam } from '@salus/accounts/teams'
import { getUserRow } from '@salus/accounts/users'
import { badRequest } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { hasConnectionOf } from '../connections/index.ts'
import { requireAvailable } from './available-providers.ts'
import type { LinkContext } from './link.context.ts'
import { LINK_TOKEN_SECONDS, stateAt } from './link.machine.ts'
import type {
  LinkConfig,
  LinkSessionState,
  LinkToken,
  LinkTokenBody,
  SourceLink,
} from './link.schema.ts'
import type { LinkAccess } from './link-authentication.ts'
import { signContinuation } from './link-continuation.service.ts'
import { LinkError } from './link-errors.registry.ts'
import { insertLinkSession, transitionLinkSession } from './link-sessions.repository.ts'
import { signLinkToken } from './link-token.ts'
import {
  listAppProviders,
  listConnected,
  listLinkableProviders,
  toSourceLink,
} from './linkable-providers.ts'
import { refuseBadRedirect, requireAllowedRedirect } from './redirect.ts'

/**
 * Creates a link session for a user.
 * @throws AppError 404 for the user, 400 `demo_user`, 400 `provider_not_available`; InputError for
 *   the redirect
 */
export async function createLinkToken(
  scope: Scope,
  context: LinkContext,
  body: LinkTokenBody,
  baseUrl: string,
): Promise<LinkToken> {
  refuseBadRedirect('redirect_url', body.redirect_url)
  const { link_redirect_urls: allowed } = scope.environment.settings
  // The page of the person belongs to this deployment.
  if (body.redirect_url !== `${baseUrl}/me`) {
    requireAllowedRedirect('redirect_url', body.redirect_url, allowed)
  }
  if (body.provider) requireAvailable(scope, context, body.provider)
  const user = await getUserRow(scope, body.user_id)
  if (await hasConnectionOf(scope, user.id, 'demo')) {
    throw badRequest('demo_user', 'The user has demo connections and cannot have others.')
  }
  const id = newId()
  const issuedAt = scope.clock.now()
  const expiresAt = new Date(issuedAt.getTime() + LINK_TOKEN_SECONDS * 1000)
  await scope.transaction((tx) =>
    insertLinkSession(tx, {
      id,
      user_id: user.id,
      fixed_provider: body.provider ?? null,
      redirect_url: body.redirect_url ?? null,
      filter_on_providers: body.filter_on_providers ?? null,
      on_error: body.on_error ?? null,
      on_close: body.on_close ?? null,
      created_at: issuedAt,
      expires_at: expiresAt,
    }),
  )
  const { teamId } = scope.environment
  const session = { id, teamId, userId: user.id, issuedAt, expiresAt }
  const token = await signLinkToken(context.secrets, baseUrl, session)
  return { link_token: token, link_web_url: `${baseUrl}/link?token=${token}` }
}

/**
 * Starts with a provider and discards any earlier start.
 * @param sealed Data with which the sign-in continues.
 * @throws LinkError when the session is for another provider, or was used meanwhile
 */
export async function startLinkSession(
  scope: Scope,
  { session }: LinkAccess,
  provider: string,
  sealed: Buffer | null = null,
): Promise<void> {
  if (session.fixed_provider !== null && session.fixed_provider !== provider) {
    throw new LinkError('token_not_validated')
  }
  const changes = { started_provider: provider, sealed, mfa_tries: 0 }
  const isStarted = await scope.transaction((tx) =>
    transitionLinkSession(tx, session.id, 'start', changes),
  )
  if (!isStarted) throw new LinkError('token_consumed')
}

/** Returns the present state of a session; expiry needs no write. */
export function toLinkState({ clock }: Scope, { session }: LinkAccess): LinkSessionState {
  return {
    state: stateAt(session, clock.now()),
    provider: session.started_provider ?? session.fixed_provider,
    redirect_url: session.redirect_url,
  }
}

/** Returns the providers that the holder of a link token may connect to. */
export async function listLinkSources(
  scope: Scope,
  context: LinkContext,
  baseUrl: string,
): Promise<SourceLink[]> {
  const { region } = scope.environment
  const linkable = await listLinkableProviders(scope, context)
  return linkable.map((entry) => toSourceLink(entry, context, { baseUrl, region }))
}

/**
 * Returns the content of the link page (docs/contract/01-conventions.md#get-v2teamlinkconfig).
 * @param opener Origin of the page that opened it.
 */
export async function getLinkConfig(
  scope: Scope,
  context: LinkContext,
  access: LinkAccess,
  { baseUrl, opener }: { baseUrl: string; opener: string | undefined },
): Promise<LinkConfig> {
  const { session } = access
  const { settings, kind, region, teamId } = scope.environment
  const { fixed_provider: fixed, filter_on_providers: filter } = session
  const sources = await listLinkSources(scope, context, baseUrl)
  const isShown = ({ slug }: { slug: string }): boolean =>
    fixed === null ? (filter?.includes(slug) ?? true) : slug === fixed
  const team = await getClientFacingTeam(scope, teamId)
  return {
    team: {
      name: settings.brand_information?.company_name ?? team.name,
      logo_url: settings.logo_url,
      brand_color: settings.brand_information?.brand_color ?? null,
    },
    providers: sources.filter(isShown),
    app_providers: listAppProviders(baseUrl).filter(isShown),
    connections: await listConnected(scope, session.user_id, baseUrl),
    redirect_url: session.redirect_url,
    provider: fixed,
    opener: opener !== undefined && settings.link_origins?.includes(opener) ? opener : null,
    continuation: fixed === null ? await signContinuation(context, access, baseUrl) : null,
    on_error: session.on_error,
    on_close: session.on_close,
    environment: kind,
    region,
  }
}
