export type Environment = 'sandbox' | 'production'
export type Region = 'us' | 'eu'

/** What one call does differently. */
export interface RequestOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  signal?: AbortSignal
  /**
   * Time for one attempt until the whole answer is there; of bytes and streams, until they begin.
   */
  timeoutMs?: number
  /** Further attempts after the first one. */
  maxRetries?: number
  /** Where an endpoint takes one: another call with the same key has no further effect. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

/** Of `salus.admin`, where the client knows another organization, team, environment or region. */
export interface AdminOptions extends RequestOptions {
  orgId?: string
  teamId?: string
  environment?: Environment
  region?: Region
}

export interface SalusOptions extends AdminContext {
  /** Where the server is; http://127.0.0.1:8787 by default. */
  baseUrl?: string
  /** Key of a team. `sk_…` is of its sandbox, `pk_…` of production. */
  apiKey?: string
  /**
   * Instead of a key: a token of a team or of an app on a phone, or what gives one for each
   * request.
   */
  accessToken?: string | (() => string | Promise<string>)
  /** For `salus.admin`. */
  managementKey?: string
  /** For what the pages do on which people connect their accounts. */
  linkToken?: string
  /** 60,000 by default. */
  timeoutMs?: number
  /** 2 by default. */
  maxRetries?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Instead of the one of the runtime. */
  fetch?: typeof globalThis.fetch
}

/** What `salus.admin` works on. */
export interface AdminContext {
  orgId?: string
  teamId?: string
  /** Told from the key of the team when it is not given; otherwise the sandbox. */
  environment?: Environment
  /** Told from the key of the team when it is not given; otherwise `us`. */
  region?: Region
}
