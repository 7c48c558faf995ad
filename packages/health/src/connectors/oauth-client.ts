import { createHash } from 'node:crypto'
import { OutboundError } from '@salus/kernel/outbound/outbound-error'
import { request } from '@salus/kernel/outbound/request'
import * as oauth from 'oauth4webapi'
import type { Connector, Endpoint, OAuth, VendorApp, VendorTokens } from './connector.ts'
import {
  createSend,
  failureOfStatus,
  type VendorAddress,
  VendorError,
  vendorUrl,
} from './vendor-client.ts'

/** A connector whose vendor signs users in by OAuth 2. */
export type OAuthConnector = Connector & { readonly auth: OAuth }

/**
 * Whether users sign in at the vendor; with other connectors they enter a password or an email
 * address.
 */
export function isOAuthConnector(connector: Connector): connector is OAuthConnector {
  return connector.auth.kind === 'oauth'
}

/** Tokens are small and vendors fast; larger or slower answers mean that the vendor has trouble. */
const TIMEOUT_MS = 30_000
const MOST_BYTES = 256 * 1024

/**
 * Errors that mean that a grant is over: the user revoked it, or the refresh token was used or has
 * expired. `invalid_client` and the like mean that the app is misconfigured, which connections
 * outlive.
 */
const FINAL_ERRORS = new Set(['invalid_grant', 'access_denied'])
const PASSING_ERRORS = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

/** Temporary failures; anything else is an answer to evaluate. */
const FAILURES_OF_THEIRS = new Set(['rate_limited', 'unavailable'])

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
      response_type: 'code',
      client_id: app.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(auth.scopeSeparator ?? ' '),
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
      options,
    )
    return oauth.processAuthorizationCodeResponse(server, client, response)
  })
  const granted = answer.scope ?? callbackQuery.scope
  const grantedScopes = granted === undefined ? auth.scopes : granted.split(/[\s,]+/)
  return { tokens: toTokens(answer, now), grantedScopes: grantedScopes.filter(Boolean) }
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
      options,
    )
    return oauth.processRefreshTokenResponse(server, client, response)
  })
  // Without a new refresh token the present one stays valid.
  return { ...tokens, ...toTokens(answer, now, refreshToken) }
}

/**
 * Revokes a grant, where the vendor supports it. A grant that is over is no error.
 * @throws VendorError of a retriable kind
 */
export async function revokeTokens(
  connector: OAuthConnector,
  address: VendorAddress,
  app: VendorApp,
  { accessToken, refreshToken }: VendorTokens,
): Promise<void> {
  const { revocationEndpoint: endpoint } = connector.auth
  if (endpoint === undefined) return
  const { host, path, accessTokenParameter: name } = endpoint
  if (name !== undefined) {
    const send = createSend(address)
    const answer = await send({ method: 'POST', host, path, query: { [name]: accessToken } })
    const failure = failureOfStatus(answer)
    if (failure !== undefined && FAILURES_OF_THEIRS.has(failure.kind)) {
      throw new VendorError(connector.slug, failure)
    }
    return
  }
  const { server, client, authentication, options } = partiesOf(connector, address, app)
  try {
    await convertErrors(connector, { kind: 'refused' }, async () => {
      const token = refreshToken ?? accessToken
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
      [oauth.customFetch]: createFetch(address),
    },
  }
}

/**
 * HTTP Basic, both parts encoded as in a form (RFC 6749, 2.3.1). The library's own also encodes
 * `-`, `.` and `_`, which most client ids contain and vendors do not decode.
 */
const basicAuth =
  (secret: string): oauth.ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const [user, password] = [id, secret].map((text) => String(new URLSearchParams({ '': text })))
    const pair = `${user?.slice(1)}:${password?.slice(1)}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  }

type Fetch = (url: string, options: oauth.CustomFetchOptions<string, unknown>) => Promise<Response>

/**
 * Adapts the agent to the fetch of the library. Vendors label JSON as text and answer 201, so the
 * library is given only whether the answer is valid JSON.
 */
function createFetch({ slug, agent }: VendorAddress): Fetch {
  return async (url, { method, headers, body }) => {
    const answer = await request(agent, {
      method: method as 'POST',
      url,
      headers: { accept: 'application/json', ...headers },
      body: String(body),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_BYTES,
    }).catch((error: unknown) => {
      if (error instanceof OutboundError) throw new VendorError(slug, { kind: 'unavailable' })
      throw error
    })
    const failure = failureOfStatus(answer)
    const { status } = answer
    if (failure !== undefined && FAILURES_OF_THEIRS.has(failure.kind)) {
      throw new VendorError(slug, failure)
    }
    if (failure !== undefined && (status < 400 || status > 499)) {
      throw new VendorError(slug, { kind: 'unexpected', status })
    }
    return new Response(new Uint8Array(answer.bytes()), {
      status: failure === undefined ? 200 : status,
      headers: { 'content-type': 'application/json' },
    })
  }
}

/**
 * Replaces the errors of the library, which contain requests and answers, by our own, which do not.
 */
async function convertErrors<Result>(
  { slug }: Connector,
  final: VendorError['failure'],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof VendorError) throw error
    if (error instanceof oauth.ResponseBodyError) {
      if (FINAL_ERRORS.has(error.error)) throw new VendorError(slug, final)
      if (PASSING_ERRORS.has(error.error)) throw new VendorError(slug, { kind: 'unavailable' })
      throw new VendorError(slug, { kind: 'unexpected', status: error.status })
    }
    if (error instanceof oauth.OperationProcessingError) throw unexpectedAnswer(slug, error.cause)
    if (error instanceof oauth.UnsupportedOperationError) throw unexpectedAnswer(slug, error.cause)
    throw error
  }
}

function unexpectedAnswer(slug: string, cause: unknown): VendorError {
  const status = cause instanceof Response ? cause.status : null
  return new VendorError(slug, { kind: 'unexpected', status })
}

function toTokens(
  { access_token, refresh_token, expires_in }: oauth.TokenEndpointResponse,
  now: Date,
  formerRefreshToken: string | null = null,
): VendorTokens {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? formerRefreshToken,
    expiresAt: expires_in === undefined ? null : now.getTime() + expires_in * 1000,
  }
}
