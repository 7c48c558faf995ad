import { randomBytes } from 'node:crypto'
import { findProvider } from '@salus/contracts/providers'
import type { Scope } from '@salus/kernel/scope'
import {
  appProblemOf,
  authorizationUrl,
  createFetchJson,
  createUserSend,
  exchangeCode,
  findApp,
  isOAuthConnector,
  type OAuthConnector,
  type VendorTokens,
} from '../../connectors/index.ts'
import { notConfigured, requireAvailable } from '../available-providers.ts'
import { completeLinkSession } from '../connect.service.ts'
import type { LinkContext } from '../link.context.ts'
import type { Source } from '../link.schema.ts'
import { startLinkSession } from '../link.service.ts'
import type { LinkAccess } from '../link-authentication.ts'
import { LinkError } from '../link-errors.registry.ts'
import { toSource } from '../linkable-providers.ts'
import { findCustomCredential } from '../team-settings/custom-credentials.repository.ts'
import { findScopeRequirement } from '../team-settings/scope-requirements.repository.ts'
import { wrongApp } from './app-problem.ts'
import { openStep, sealStep } from './sealed-step.ts'
import { callVendor } from './vendor-failure.ts'

/** Returns the redirect URI for vendors, unless the team has its own. */
export const callbackUrl = (baseUrl: string, provider: string): string =>
  `${baseUrl}/v2/link/connect/${provider}`

interface OAuthStart {
  provider: string
  baseUrl: string
  /** Hash of the nonce of the browser that started, if it has one. */
  browser: string | undefined
  /** Region that the user chose, where the vendor has several. */
  wantedRegion: string | undefined
}

/**
 * Starts an OAuth sign-in.
 * @throws AppError 400 `provider_not_available` or `provider_not_configured`; LinkError, also
 *   `unsupported_region`
 */
export async function startOAuth(
  scope: Scope,
  context: LinkContext,
  access: LinkAccess,
  { provider: slug, baseUrl, browser, wantedRegion }: OAuthStart,
): Promise<Source> {
  const { connectors, secrets } = context
  requireAvailable(scope, context, slug)
  const connector = connectors.find(slug)
  const provider = findProvider(slug)
  const app = await findApp(scope, context, slug)
  if (!connector || !isOAuthConnector(connector) || !provider || !app) {
    throw notConfigured()
  }
  const region = regionOf(connector, wantedRegion, scope.environment.region)
  const override = (await findCustomCredential(scope, slug))?.redirect_url_override
  const redirectUri = override ?? callbackUrl(baseUrl, slug)
  const codeVerifier = connector.auth.usesPkce
    ? verifierFor(context, access, redirectUri)
    : undefined
  const step = { kind: 'oauth', redirectUri, codeVerifier, region, browser } as const
  await startLinkSession(scope, access, slug, sealStep(secrets, access.session.id, step))
  const asked = await withTeamScopes(scope, connector)
  const hosts = connectors.publicHostsOf(connector, scope.environment, baseUrl, region)
  const state = access.token
  const url = authorizationUrl(asked, hosts, { app, redirectUri, state, codeVerifier })
  return toSource(provider, baseUrl, url)
}

/**
 * Returns the region to sign in to: the wanted one, otherwise that of the deployment, otherwise the
 * vendor's first; undefined for a vendor with one region.
 * @throws LinkError `unsupported_region`
 */
function regionOf(
  { auth: { regions } }: OAuthConnector,
  wanted: string | undefined,
  own: string,
): string | undefined {
  if (regions === undefined) return undefined
  if (wanted !== undefined && !Object.hasOwn(regions, wanted)) {
    throw new LinkError('unsupported_region')
  }
  return wanted ?? (Object.hasOwn(regions, own) ? own : Object.keys(regions)[0])
}

/**
 * Returns the verifier of an earlier start with the same parameters: the user may continue in
 * either of two tabs.
 */
function verifierFor(
  { secrets }: LinkContext,
  { session }: LinkAccess,
  redirectUri: string,
): string {
  const earlier = openStep(secrets, session, 'oauth')
  const isSame = earlier?.redirectUri === redirectUri
  return (isSame && earlier.codeVerifier) || randomBytes(32).toString('base64url')
}

/** Adds the scopes that the team requires or requests. */
async function withTeamScopes(scope: Scope, connector: OAuthConnector): Promise<OAuthConnector> {
  const requirement = await findScopeRequirement(scope, connector.slug)
  if (requirement === undefined) return connector
  const { user_must_grant: must, user_may_grant: may } = requirement
  const scopes = [...new Set([...connector.auth.scopes, ...must, ...may])]
  return { ...connector, auth: { ...connector.auth, scopes } }
}

/** Query of a vendor's redirect, beside the state. */
export interface Callback {
  code?: string | undefined
  error?: string | undefined
  [name: string]: string | undefined
}

interface OAuthEnd {
  provider: string
  baseUrl: string
  callback: Callback
  /** Whether the returning browser is the one that started. */
  isFrom: (browser: string | undefined) => boolean
}

/** Errors of RFC 6749 section 4.1.2.1 that do not depend on the user. */
const PASSING_ERRORS = new Set(['temporarily_unavailable', 'server_error'])

/** Completes an OAuth sign-in. @throws LinkError */
export async function completeOAuth(
  scope: Scope,
  context: LinkContext,
  access: LinkAccess,
  { provider: slug, baseUrl, callback, isFrom }: OAuthEnd,
): Promise<void> {
  const { connectors, secrets } = context
  const { session } = access
  const connector = connectors.find(slug)
  const step = openStep(secrets, session, 'oauth')
  const isStarted = session.state === 'validated' && session.started_provider === slug
  if (!isStarted || step === undefined || !connector || !isOAuthConnector(connector)) {
    throw new LinkError('token_not_validated')
  }
  // An attacker who started in another browser could connect this user's account to their own user.
  if (!isFrom(step.browser)) throw new LinkError('token_not_validated')
  if (PASSING_ERRORS.has(callback.error ?? '')) throw new LinkError('provider_api_error')
  const { code, error, error_description: description } = callback
  const { redirectUri } = step
  const problem = error && appProblemOf(error, description)
  if (problem) throw await wrongApp(scope, { slug, problem, redirectUri })
  if (error !== undefined || !code) throw new LinkError('provider_credential_error')
  const app = await findApp(scope, context, slug)
  if (app === undefined) throw new LinkError('provider_api_error')
  const { region } = step
  const address = connectors.addressOf(connector, scope.environment, region)
  const signInAtVendor = async () => {
    const exchange = { ...step, code, callbackQuery: callback }
    const exchanged = await exchangeCode(connector, address, app, exchange, scope.clock.now())
    const granted = { ...exchanged, tokens: withRegion(exchanged.tokens, region) }
    const fetchJson = createFetchJson(connector, address, granted.tokens, app)
    const send = createUserSend(connector, address, granted.tokens, app)
    await connector.auth.completeSignIn?.(send, granted.tokens, app)
    return { ...granted, accountId: await connector.auth.identify(fetchJson, granted.tokens) }
  }
  const { tokens, grantedScopes, accountId } = await callVendor(scope, signInAtVendor, redirectUri)
  const credential = { tokens }
  const signedIn = { connector, accountId, credential, grantedScopes, region: region ?? null }
  await completeLinkSession(scope, context, access, signedIn, baseUrl)
}

/** Later requests go to the region in which the user signed in. */
const withRegion = (tokens: VendorTokens, region: string | undefined): VendorTokens =>
  region === undefined ? tokens : { ...tokens, extra: { ...tokens.extra, region } }
