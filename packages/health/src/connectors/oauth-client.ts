import { createHash } from 'node:crypto'
import { OutboundError } from '@salus/kernel/outbound/outbound-error'
import { request } from '@salus/kernel/outbound/request'
import * as oauth from 'oauth4webapi'
import type { Connector, Endpoint, OAuth, VendorApp, VendorTokens } from './connector.ts'
import {
  createSend,
  failureOf,
  type VendorAddress,
  VendorError,
  vendorUrl,
} from './vendor-client.ts'

/** A connector of a vendor that people sign in with by OAuth 2. */
export type OAuthConnector = Connector & { readonly auth: OAuth }

/**
 * True where people sign in at the vendor; with others they give a password or an e-mail address.
 */
export function isOAuthConnector(connector: Connector): connector is OAuthConnector {
  return connector.auth.kind === 'oauth'
}

/** Tokens are small and vendors quick: more of either is a vendor in trouble. */
const TIMEOUT_MS = 30_000
const MOST_BYTES = 256 * 1024

/**
 * What the vendor says when a grant is over: the person took it back, or the refresh token was used
 * or is too old. Not so `invalid_client` and the like, which say that the app is set up wrongly:
 * connections outlive that.
 */
const FINAL_ERRORS = new Set(['invalid_grant', 'access_denied'])
const PASSING_ERRORS = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])

/** What may pass: all else is the answer. */
const FAILURES_OF_THEIRS = new Set(['rate_limited', 'unavailable'])

export interface AuthorizationRequest {
  readonly app: VendorApp
  readonly redirectUri: string
  readonly state: string
  /** All that the connector asks for, unless told. */
  readonly scopes?: readonly string[] | undefined
  /** Where the connector uses PKCE. */
  readonly codeVerifier?: string | undefined
}

/**
 * Where a person's browser goes to grant access.
 * @param publicHosts As `Connectors.publicHostsOf` gives them.
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
   * All that the vendor sent the browser back with: some vendors say only there what was granted.
   */
  readonly callbackQuery: Readonly<Record<string, string | undefined>>
}

/**
 * Tokens for the code that a browser came back with, and the scopes that the person granted: those
 * of the answer, else of the callback, else, as RFC 6749 section 5.1 has it, all that was asked
 * for.
 * @throws VendorError `refused` for a code that is wrong or was used; retriable kinds for all else
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
  const answer = await attempt(connector, { kind: 'refused' }, async () => {
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
 * New tokens for old ones.
 * @throws VendorError `ended` when the vendor says that the grant is over; retriable kinds for all
 *   else
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
  const answer = await attempt(connector, ended, async () => {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      refreshToken,
      options,
    )
    return oauth.processRefreshTokenResponse(server, client, response)
  })
  // A vendor that sends no other refresh token goes on taking this one.
  return { ...tokens, ...toTokens(answer, now, refreshToken) }
}

/**
 * Gives a grant back. Nothing to do where the vendor offers no end of it; a grant that is over
 * already is no error.
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
    const failure = failureOf(answer)
    if (failure !== undefined && FAILURES_OF_THEIRS.has(failure.kind)) {
      throw new VendorError(connector.slug, failure)
    }
    return
  }
  const { server, client, authentication, options } = partiesOf(connector, address, app)
  try {
    await attempt(connector, { kind: 'refused' }, async () => {
      const token = refreshToken ?? accessToken
      const response = await oauth.revocationRequest(server, client, authentication, token, options)
      await oauth.processRevocationResponse(response)
    })
  } catch (error) {
    if (error instanceof VendorError && error.failure.kind === 'refused') return
    throw error
  }
}

/** The two sides of a grant in the words of the library, and how it reaches the vendor. */
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
 * `-`, `.` and `_`, which is in the ids of most apps and which vendors do not decode.
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
 * The agent behind the interface of the library. Vendors label JSON as text and answer 201: how an
 * answer is labelled says less than whether it can be read, so the library sees only that.
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
    const failure = failureOf(answer)
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
 * Turns the errors of the library, which hold what was sent and came back, into ours, which do not.
 */
async function attempt<Result>(
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
    if (error instanceof oauth.OperationProcessingError) throw unexpected(slug, error.cause)
    if (error instanceof oauth.UnsupportedOperationError) throw unexpected(slug, error.cause)
    throw error
  }
}

function unexpected(slug: string, cause: unknown): VendorError {
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
