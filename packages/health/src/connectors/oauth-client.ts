import { createHash } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import type {
  Connector,
  Endpoint,
  OAuth,
  OAuthParameters,
  VendorApp,
  VendorTokens,
} from './connector.ts'
import { createUserSend } from './connectors.ts'
import {
  basicAuth,
  convertErrors,
  createOAuthFetch,
  FAILURES_OF_THEIRS,
} from './oauth-transport.ts'
import { failureOfStatus, type VendorAddress, VendorError, vendorUrl } from './vendor-client.ts'

/** A connector whose vendor signs users in by OAuth 2. */
export type OAuthConnector = Connector & { readonly auth: OAuth }

/**
 * Whether users sign in at the vendor; with other connectors they enter a password or an email
 * address.
 */
export function isOAuthConnector(connector: Connector): connector is OAuthConnector {
  return connector.auth.kind === 'oauth'
}

export interface AuthorizationRequest {
  readonly app: VendorApp
  readonly redirectUri: string
  readonly state: string
  /** Scopes to request; all of the connector by default. */
  readonly scopes?: readonly string[] | undefined
  /** Set where the connector uses PKCE. */
  readonly codeVerifier?: string | undefined
}

/**
 * Returns the URL at which a user grants access.
 * @param publicHosts Returned by `Connectors.publicHostsOf`.
 */
export function authorizationUrl(
  { auth }: OAuthConnector,
  publicHosts: Readonly<Record<string, string>>,
  { app, redirectUri, state, scopes = auth.scopes, codeVerifier }: AuthorizationRequest,
): string {
  const challenge = codeVerifier && createHash('sha256').update(codeVerifier).digest('base64url')
  return vendorUrl(publicHosts, {
    ...auth.authorizationEndpoint,
    query: {
      ...parametersFor(app, auth.parameters?.authorization),
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(auth.scopeSeparator ?? ' ') || undefined,
      state,
      code_challenge: challenge,
      code_challenge_method: challenge && 'S256',
    },
  })
}

export interface CodeExchange {
  readonly code: string
  /** The same as in the authorization request. */
  readonly redirectUri: string
  readonly codeVerifier?: string | undefined
  /**
   * Query with which the vendor redirected the browser; some vendors name the granted scopes only
   * there.
   */
  readonly callbackQuery: Readonly<Record<string, string | undefined>>
}

/**
 * Exchanges the authorization code for tokens and the granted scopes: those of the answer,
 * otherwise of the callback, otherwise (RFC 6749, section 5.1) all that were requested.
 * @throws VendorError `refused` for a wrong or used code; retriable kinds for all else
 */
export async function exchangeCode(
  connector: OAuthConnector,
  address: VendorAddress,
  app: VendorApp,
  { code, redirectUri, codeVerifier, callbackQuery }: CodeExchange,
  now: Date,
): Promise<{ tokens: VendorTokens; grantedScopes: string[] }> {
  const { server, client, authentication, options } = partiesOf(connector, address, app)
  const { auth } = connector
  const answer = await convertErrors(connector, { kind: 'refused' }, async () => {
    const callback = oauth.validateAuthResponse(
      server,
      client,
      new URLSearchParams({ code }),
      oauth.skipStateCheck,
    )
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      redirectUri,
      codeVerifier ?? oauth.nopkce,
      withParameters(options, parametersFor(app, auth.parameters?.token)),
    )
    return oauth.processAuthorizationCodeResponse(server, client, response)
  })
  const granted = answer.scope ?? callbackQuery.scope
  const grantedScopes = granted === undefined ? auth.scopes : granted.split(/[\s,]+/)
  return { tokens: toTokens(auth, answer, now), grantedScopes: grantedScopes.filter(Boolean) }
}

/**
 * Exchanges a refresh token for new tokens.
 * @throws VendorError `ended` when the vendor reports that the grant is over; retriable kinds for
 *   all else
 */
export async function refreshTokens(
  connector: OAuthConnector,
  address: VendorAddress,
  app: VendorApp,
  tokens: VendorTokens,
  now: Date,
): Promise<VendorTokens> {
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' } as const
  const { refreshToken } = tokens
  if (refreshToken === null) throw new VendorError(connector.slug, ended)
  const { server, client, authentication, options } = partiesOf(connector, address, app)
  const answer = await convertErrors(connector, ended, async () => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      refreshToken,
      withParameters(options, parametersFor(app, connector.auth.parameters?.refresh, tokens)),
    )
    return oauth.processRefreshTokenResponse(server, client, response)
  })
  return toTokens(connector.auth, answer, now, tokens)
}

/**
 * Revokes a grant, where the vendor supports it. A grant that is over is no error.
 * @throws VendorError of a retriable kind
 */
export async function revokeTokens(
  connector: OAuthConnector,
  address: VendorAddress,
  app: VendorApp,
  tokens: VendorTokens,
): Promise<void> {
  const { revocationEndpoint: endpoint, revocationRequest } = connector.auth
  if (revocationRequest !== undefined) {
    const send = createUserSend(connector, address, tokens, app)
    const answer = await send(revocationRequest(tokens, app))
    const failure = failureOfStatus(answer)
    if (failure !== undefined && FAILURES_OF_THEIRS.has(failure.kind)) {
      throw new VendorError(connector.slug, failure)
    }
    return
  }
  if (endpoint === undefined) return
  const { server, client, authentication, options } = partiesOf(connector, address, app)
  try {
    await convertErrors(connector, { kind: 'refused' }, async () => {
      const token = tokens.refreshToken ?? tokens.accessToken
      const response = await oauth.revocationRequest(server, client, authentication, token, options)
      await oauth.processRevocationResponse(response)
    })
  } catch (error) {
    if (error instanceof VendorError && error.failure.kind === 'refused') return
    throw error
  }
}

/** Returns both parties of a grant in the terms of the library, and the transport to the vendor. */
function partiesOf({ auth }: OAuthConnector, address: VendorAddress, app: VendorApp) {
  const urlOf = (endpoint: Endpoint) => vendorUrl(address.hosts, endpoint)
  const tokenEndpoint = urlOf(auth.tokenEndpoint)
  const server: oauth.AuthorizationServer = {
    issuer: new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
    ...(auth.revocationEndpoint && { revocation_endpoint: urlOf(auth.revocationEndpoint) }),
  }
  const authenticate =
    auth.clientAuthentication === 'client_secret_basic' ? basicAuth : oauth.ClientSecretPost
  return {
    server,
    client: { client_id: app.clientId },
    authentication: authenticate(app.clientSecret),
    options: {
      // Emulated vendors are on this machine; no connector names such a host.
      [oauth.allowInsecureRequests]: new URL(tokenEndpoint).hostname === '127.0.0.1',
      [oauth.customFetch]: createOAuthFetch(address, auth.toStandardAnswer),
    },
  }
}

const parametersFor = (app: VendorApp, parameters: OAuthParameters = {}, tokens?: VendorTokens) =>
  typeof parameters === 'function' ? parameters(app, tokens) : parameters

const withParameters = <Options extends object>(
  options: Options,
  parameters: Readonly<Record<string, string>>,
) => ({ ...options, additionalParameters: { ...parameters } })

/** @param former Tokens that are refreshed; the answer replaces the parts of them that it has. */
function toTokens(
  { keptTokenFields = [] }: OAuth,
  answer: oauth.TokenEndpointResponse,
  now: Date,
  former?: VendorTokens,
): VendorTokens {
  const { access_token, refresh_token, expires_in } = answer
  const kept = keptTokenFields
    .filter((name) => answer[name] !== undefined && answer[name] !== null)
    .map((name) => [name, String(answer[name])] as const)
  const extra = { ...former?.extra, ...Object.fromEntries(kept) }
  return {
    accessToken: access_token,
    // Without a new refresh token the present one stays valid.
    refreshToken: refresh_token ?? former?.refreshToken ?? null,
    expiresAt: expires_in === undefined ? null : now.getTime() + expires_in * 1000,
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}
