export type Environment = 'sandbox' | 'production'
export type Region = 'us' | 'eu'

/** Options of a single call. */
export interface RequestOptions {
  /** Aborts the call; it rejects with the reason of the signal. */
  signal?: AbortSignal
  /**
   * Timeout of one attempt until the whole response is read; for bytes and streams, until they
   * begin.
   */
  timeoutMs?: number
  /** Attempts after the first one. */
  maxRetries?: number
  /** For endpoints that take one: another call with the same key has no further effect. */
  idempotencyKey?: string
  headers?: Record<string, string>
}

/**
 * Options of `salus.admin` that replace the organization, team, environment or region of the
 * client.
 */
export interface AdminOptions extends RequestOptions {
  orgId?: string
  teamId?: string
  environment?: Environment
  region?: Region
}

export interface SalusOptions extends AdminContext {
  /** Address of the server; http://127.0.0.1:8787 by default. */
  baseUrl?: string
  /** API key of a team. `sk_…` is for its sandbox, `pk_…` for production. */
  apiKey?: string
  /**
   * Replaces the key: a token of a team or of an app on a phone, or a function that returns one for
   * each request.
   */
  accessToken?: string | (() => string | Promise<string>)
  /** Key for `salus.admin`. */
  managementKey?: string
  /** Token for `salus.link`, in pages on which people connect accounts. */
  linkToken?: string
  /** 60,000 by default. */
  timeoutMs?: number
  /** 2 by default. */
  maxRetries?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Replaces the fetch of the runtime. */
  fetch?: typeof globalThis.fetch
}

/** Organization, team, environment and region of calls of `salus.admin`. */
export interface AdminContext {
  orgId?: string
  teamId?: string
  /** Taken from the key of the team when it is not given; otherwise the sandbox. */
  environment?: Environment
  /** Taken from the key of the team when it is not given; otherwise `us`. */
  region?: Region
}
