import { StartupError } from '@salus/kernel/errors'
import * as client from 'openid-client'
import type { OpenIdConfig, RoleRule } from './openid-settings.ts'

const TIMEOUT_SECONDS = 10

/** Values that check the redirect to the provider and back; the browser stores them meanwhile. */
export interface SignInChecks {
  state: string
  nonce: string
  codeVerifier: string
}

/** Claims of the provider about a user. */
export interface Claims {
  issuer: string
  subject: string
  all: Readonly<Record<string, unknown>>
}

/** Reads the provider from the settings; undefined when none is configured. @throws StartupError */
export function readOpenIdProvider(config: OpenIdConfig): OpenIdProvider | undefined {
  const { openIdIssuer: issuer, openIdClientId: clientId, openIdRoles: rules } = config
  if (issuer === undefined) return undefined
  if (clientId === undefined)
    throw new StartupError('SALUS_OIDC_ISSUER needs SALUS_OIDC_CLIENT_ID.')
  if (rules.length === 0) {
    throw new StartupError(
      'SALUS_OIDC_ISSUER needs SALUS_OIDC_ROLES, because no one could sign in without a role.',
    )
  }
  return new OpenIdProvider({ ...config, issuer, clientId })
}

/**
 * The one identity provider of the deployment. Its addresses and keys are requested with the first
 * sign-in.
 */
export class OpenIdProvider {
  readonly name: string
  readonly rules: readonly RoleRule[]
  readonly #settings: OpenIdConfig & { issuer: URL; clientId: string }
  #configuration: Promise<client.Configuration> | undefined

  constructor(settings: OpenIdConfig & { issuer: URL; clientId: string }) {
    this.#settings = settings
    this.name = settings.openIdName
    this.rules = settings.openIdRoles
  }

  /** Returns the URL to redirect the browser to, and the values to store until it comes back. */
  async beginSignIn(redirectUri: string): Promise<{ url: URL; checks: SignInChecks }> {
    const configuration = await this.#configure()
    const codeVerifier = client.randomPKCECodeVerifier()
    const checks = { state: client.randomState(), nonce: client.randomNonce(), codeVerifier }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.#settings.openIdScopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url, checks }
  }

  /**
   * Returns the claims of the user who came back. State, issuer, nonce, audience, signature and
   * times are checked.
   * @param callbackUrl Redirect URL with the query that the browser sent
   * @throws Error of openid-client
   */
  async finishSignIn(callbackUrl: URL, checks: SignInChecks): Promise<Claims> {
    const configuration = await this.#configure()
    const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('The provider sent no ID token.')
    // Some providers return groups only here.
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
    const more = hasMore
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {}
    return { issuer: claims.iss, subject: claims.sub, all: { ...more, ...claims } }
  }

  #configure(): Promise<client.Configuration> {
    this.#configuration ??= this.#discover().catch((error) => {
      this.#configuration = undefined
      throw error
    })
    return this.#configuration
  }

  #discover(): Promise<client.Configuration> {
    const { issuer, clientId, openIdClientSecret: secret } = this.#settings
    const isPlain = issuer.protocol === 'http:'
    return client.discovery(issuer, clientId, secret, secret ? undefined : client.None(), {
      timeout: TIMEOUT_SECONDS,
      execute: isPlain ? [client.allowInsecureRequests] : [],
    })
  }
}

/**
 * Returns the first rule that matches a user. An e-mail address that the provider did not verify
 * matches none.
 */
export function findRule(rules: readonly RoleRule[], { all }: Claims): RoleRule | undefined {
  return rules.find(({ claim, value }) => {
    if (claim === 'email' && all.email_verified !== true) return false
    const values = all[claim]
    return Array.isArray(values) ? values.includes(value) : values === value
  })
}

/** Returns the name of a user in the list of management keys. */
export function nameOf({ all, subject }: Claims): string {
  const names = [all.name, all.preferred_username, all.email, subject]
  const found = names.find((name): name is string => typeof name === 'string' && name !== '')
  return (found ?? subject).slice(0, 80)
}
