import type { OutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { OutboundError } from '@salus/kernel/outbound/outbound-error'
import { type OutboundAnswer, request } from '@salus/kernel/outbound/request'

/** A request to a vendor; the client adds the address. */
export interface VendorRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Name of one of the connector's hosts; `api` unless told. */
  readonly host?: string
  /** Begins with a slash. */
  readonly path: string
  /** Those that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

/**
 * Sends a request as it is, and brings the answer of any status.
 * @throws VendorError `unavailable`
 */
export type Send = (request: VendorRequest) => Promise<OutboundAnswer>

/** Asks on behalf of a person, and brings the JSON of a good answer. @throws VendorError */
export type Ask = (request: VendorRequest) => Promise<unknown>

/** Why a vendor did not answer as asked. */
export type VendorFailure =
  /** 429; with how long to wait, where the vendor says so. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | null }
  /** Not reached, or in trouble: worth another try. */
  | { readonly kind: 'unavailable' }
  /** An answer that the vendor's documentation knows nothing of: worth few more tries. */
  | { readonly kind: 'unexpected'; readonly status: number | null }
  /** The access token is not taken any more: worth a new one. */
  | { readonly kind: 'unauthorized' }
  /** This is not for us, such as for want of a scope: not worth another try. */
  | { readonly kind: 'refused' }
  /** Final: the connection has ended (docs/contract/02-users.md#connectionerrordetails). */
  | { readonly kind: 'ended'; readonly errorType: ConnectionErrorType }

export type ConnectionErrorType =
  | 'token_refresh_failed'
  | 'webhook_registration_failed'
  | 'user_not_found'
  | 'deregistered_per_provider'
  | 'required_scopes_not_granted'
  | 'provider_credential_error'
  | 'provider_password_expired'
  | 'unknown'

/** Says the connector and the kind of failure, and nothing that was sent or came back. */
export class VendorError extends Error {
  readonly slug: string
  readonly failure: VendorFailure

  constructor(slug: string, failure: VendorFailure) {
    super(`${slug}: ${failure.kind}`)
    this.name = 'VendorError'
    this.slug = slug
    this.failure = failure
  }
}

/** How one connector's vendor is reached, as one environment reaches it. */
export interface VendorAddress {
  readonly slug: string
  readonly hosts: Readonly<Record<string, string>>
  readonly agent: OutboundAgent
}

/** For the whole of an answer; abbott_libreview may take a minute (docs/contract/03-link.md). */
const TIMEOUT_MS = 60_000
/** A day of one-second values is some megabytes. */
const MOST_BYTES = 64 * 1024 ** 2

/** The full address of a request. */
export function vendorUrl(
  hosts: Readonly<Record<string, string>>,
  { host = 'api', path, query = {} }: Pick<VendorRequest, 'host' | 'path' | 'query'>,
): string {
  const url = new URL(`${hosts[host]}${path}`)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}

/** What sends to a vendor. */
export function createSend({ slug, hosts, agent }: VendorAddress): Send {
  return async (wanted) => {
    const { method = 'GET', headers, form, json } = wanted
    const body = form ? new URLSearchParams(form).toString() : textOf(json)
    const contentType = form ? 'application/x-www-form-urlencoded' : 'application/json'
    try {
      return await request(agent, {
        method,
        url: vendorUrl(hosts, wanted),
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': contentType }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MOST_BYTES,
      })
    } catch (error) {
      if (error instanceof OutboundError) throw new VendorError(slug, { kind: 'unavailable' })
      throw error
    }
  }
}

const textOf = (json: unknown): string | undefined =>
  json === undefined ? undefined : JSON.stringify(json)

/** The JSON of an answer. @throws VendorError by its status, or `unexpected` when it is no JSON */
export function readJson(slug: string, answer: OutboundAnswer): unknown {
  const failure = failureOf(answer)
  if (failure !== undefined) throw new VendorError(slug, failure)
  try {
    return answer.json()
  } catch {
    throw new VendorError(slug, { kind: 'unexpected', status: answer.status })
  }
}

/** What a status means with vendors in general; undefined: nothing is wrong. */
export function failureOf(answer: OutboundAnswer): VendorFailure | undefined {
  const { status } = answer
  if (status >= 200 && status < 300) return undefined
  if (status === 429) return { kind: 'rate_limited', retryAfterMs: retryAfterOf(answer) }
  if (status === 401) return { kind: 'unauthorized' }
  if (status === 403) return { kind: 'refused' }
  if (status === 408 || status >= 500) return { kind: 'unavailable' }
  return { kind: 'unexpected', status }
}

/** Seconds only: no vendor so far sends a date. */
function retryAfterOf(answer: OutboundAnswer): number | null {
  const seconds = Number(answer.header('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
