/** What the link page asks of the API. Shapes as of docs/contract/03-link.md. */

export interface Provider {
  name: string
  slug: string
  description: string
  logo: string
  auth_type: string | null
  form_components: {
    region?: { options: string[]; default?: string }
  }
}

export interface LinkConfig {
  team: { name: string; logo_url: string | null; brand_color?: string | null }
  /** Those that the page shows. */
  providers: Provider[]
  /** Null for the page of this deployment. */
  redirect_url: string | null
  /** Slug of the one provider that the link is for. */
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
 * `oura` is shown as Oura, `abbott_libreview` as Abbott Libreview, and what is no slug not at all.
 */
export function nameOfSlug(slug: string | null): string | undefined {
  if (slug === null || !/^[a-z][a-z0-9_]{0,39}$/.test(slug)) return undefined
  return slug
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}

/**
 * A refusal, by its error_type; `offline` when nothing was answered, `unavailable` when the server
 * is at fault.
 */
export class LinkRefusal extends Error {
  readonly errorType: string

  constructor(errorType: string) {
    super(errorType)
    this.errorType = errorType
  }
}

/** A vendor may take 60 s (docs/contract/03-link.md#post-v2linkproviderpasswordprovider). */
const VENDOR_PATIENCE_MS = 90_000
const PATIENCE_MS = 20_000

export interface LinkClient {
  getConfig(): Promise<LinkConfig>
  startOAuth(slug: string): Promise<{ oauth_url: string | null }>
  signIn(slug: string, given: PasswordGiven): Promise<ProviderLinkResponse>
  completeMfa(slug: string, code: string): Promise<ProviderLinkResponse>
  connectEmail(slug: string, email: string, region: string | null): Promise<ProviderLinkResponse>
}

/** @param baseUri Address of the deployment, with a slash at its end. */
export function createLinkClient(baseUri: string, token: string): LinkClient {
  const call = <T>(path: string, patienceMs: number, body?: object): Promise<T> =>
    callApi<T>(new URL(path, baseUri), patienceMs, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-service-link-token': token,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
  const connect = (path: string, body: object): Promise<ProviderLinkResponse> =>
    call(`v2/link/provider/${path}`, VENDOR_PATIENCE_MS, body)
  return {
    getConfig: () => call('v2/team/link/config', PATIENCE_MS),
    startOAuth: (slug) => call(`v2/link/provider/oauth/${slug}`, PATIENCE_MS),
    signIn: (slug, given) => connect(`password/${slug}`, given),
    completeMfa: (slug, code) => connect(`password/${slug}/complete_mfa`, { mfa_code: code }),
    connectEmail: (slug, email, region) => {
      // Without a region the deployment's own default holds.
      return connect(`email/${slug}`, { email, ...(region !== null && { region }) })
    },
  }
}

async function callApi<T>(url: URL, patienceMs: number, options: RequestInit): Promise<T> {
  const signal = AbortSignal.timeout(patienceMs)
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
  // What was typed does not fit the schema, such as an address that is none.
  if (status === 422) return 'provider_credential_error'
  if (status < 500 && typeof errorType === 'string') return errorType
  return 'unavailable'
}
