/** Requests of the link page. Shapes are those of docs/contract/03-link.md. */

/** Regions that a provider has. */
export interface Regions {
  options: string[]
  default?: string
  /** The option for accounts of all countries that are not listed. */
  others?: string
}

export interface Provider {
  name: string
  slug: string
  description: string
  logo: string
  auth_type: string | null
  form_components: {
    region?: Regions
  }
}

/** A provider on the phone, which only an app there can read. */
export interface AppProvider {
  name: string
  slug: string
  logo: string
}

/** What the person has connected already; `status` is connected, error or paused. */
export interface Connection extends AppProvider {
  status: string
}

export interface LinkConfig {
  team: { name: string; logo_url: string | null; brand_color?: string | null }
  /** Providers that the page shows. */
  providers: Provider[]
  app_providers?: AppProvider[]
  connections?: Connection[]
  /** Origin of the page that opened this one, if the team allows it. */
  opener?: string | null
  /** Starts a further link once this one has connected an account. */
  continuation?: string | null
  /** Null for the page of this deployment. */
  redirect_url: string | null
  /** Slug of the provider that the link fixes. */
  provider?: string | null
  on_error?: 'redirect' | null
  on_close?: 'redirect' | null
  environment?: string
}

export interface ProviderLinkResponse {
  state: 'success' | 'error' | 'pending_provider_mfa'
  error_type: string | null
  error: string | null
  provider: string
  provider_mfa: { method: string; hint: string } | null
}

export interface PasswordGiven {
  username: string
  password: string
  region: string | null
}

/**
 * Returns the name of a provider by its slug: `oura` is Oura, `abbott_libreview` is Abbott
 * Libreview; undefined for a text that is not a slug.
 */
export function nameOfSlug(slug: string | null): string | undefined {
  if (slug === null || !/^[a-z][a-z0-9_]{0,39}$/.test(slug)) return undefined
  return slug
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/**
 * An error response, by its error_type; `offline` without a response, `unavailable` when the server
 * failed.
 */
export class LinkRefusal extends Error {
  readonly errorType: string

  constructor(errorType: string) {
    super(errorType)
    this.errorType = errorType
  }
}

/** A vendor may take 60 s (docs/contract/03-link.md#post-v2linkproviderpasswordprovider). */
const VENDOR_TIMEOUT_MS = 90_000
const TIMEOUT_MS = 20_000

export interface LinkClient {
  /** @param opener Origin of the page that opened this one, as its address says. */
  getConfig(opener: string | undefined): Promise<LinkConfig>
  /** Starts a further link. */
  continueLink(continuation: string): Promise<{ link_token: string; link_web_url: string }>
  /** @param region Undefined for a provider with one region. */
  startOAuth(slug: string, region: string | undefined): Promise<{ oauth_url: string | null }>
  signIn(slug: string, given: PasswordGiven): Promise<ProviderLinkResponse>
  completeMfa(slug: string, code: string): Promise<ProviderLinkResponse>
  connectEmail(slug: string, email: string, region: string | null): Promise<ProviderLinkResponse>
}

/** @param baseUri Address of the deployment, with a slash at its end. */
export function createLinkClient(baseUri: string, token: string): LinkClient {
  const call = <T>(path: string, timeoutMs: number, body?: object): Promise<T> =>
    callApi<T>(new URL(path, baseUri), timeoutMs, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-service-link-token': token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
  const connect = (path: string, body: object): Promise<ProviderLinkResponse> =>
    call(`v2/link/provider/${path}`, VENDOR_TIMEOUT_MS, body)
  return {
    getConfig: (opener) => {
      const query = opener === undefined ? '' : `?${new URLSearchParams({ opener })}`
      return call(`v2/team/link/config${query}`, TIMEOUT_MS)
    },
    continueLink: (continuation) => call('v2/link/token/continue', TIMEOUT_MS, { continuation }),
    startOAuth: (slug, region) => {
      const query = region === undefined ? '' : `?${new URLSearchParams({ region })}`
      return call(`v2/link/provider/oauth/${slug}${query}`, TIMEOUT_MS)
    },
    signIn: (slug, given) => connect(`password/${slug}`, given),
    completeMfa: (slug, code) => connect(`password/${slug}/complete_mfa`, { mfa_code: code }),
    connectEmail: (slug, email, region) => {
      // Without a region the server uses its default.
      return connect(`email/${slug}`, { email, ...(region !== null && { region }) })
    },
  }
}

async function callApi<T>(url: URL, timeoutMs: number, options: RequestInit): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs)
  const request = { ...options, signal, cache: 'no-store', credentials: 'same-origin' } as const
  const response = await fetch(url, request).catch(() => {
    throw new LinkRefusal(signal.aborted ? 'unavailable' : 'offline')
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body as T
  throw new LinkRefusal(errorTypeOf(response.status, body))
}

function errorTypeOf(status: number, body: unknown): string {
  const { detail } = (body ?? {}) as { detail?: { error_type?: unknown } }
  const errorType = detail?.error_type
  // An entered value does not fit the schema, such as a malformed e-mail address.
  if (status === 422) return 'provider_credential_error'
  if (status < 500 && typeof errorType === 'string') return errorType
  return 'unavailable'
}
