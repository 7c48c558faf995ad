import type { OutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { OutboundError } from '@salus/kernel/outbound/outbound-error'
import { type OutboundAnswer, request } from '@salus/kernel/outbound/request'
import { parseVendorJson } from './vendor-json.ts'

/** A request to a vendor; the client adds the address. */
export interface VendorRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Name of one of the connector's hosts; `api` by default. */
  readonly host?: string
  /** Begins with a slash. */
  readonly path: string
  /** Undefined values are left out; a list repeats the parameter. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Reads an answer that is not JSON; any error that it throws is an `unexpected` answer. */
  readonly decode?: (bytes: Buffer) => unknown
}

/**
 * Sends a request unchanged and returns the answer of any status.
 * @throws VendorError `unavailable`
 */
export type Send = (request: VendorRequest) => Promise<OutboundAnswer>

/** A file at a signed address that the vendor named. */
export interface FileRequest {
  /** An https address at one of `Connector.fileHosts`. It is fetched without the credential. */
  readonly fileUrl: string
}

/**
 * Sends a request on behalf of a user and returns the JSON of a successful answer, or the Buffer of
 * a file.
 * @throws VendorError
 */
export type FetchJson = (request: VendorRequest | FileRequest) => Promise<unknown>

/** Reason for which a request to a vendor failed. */
export type VendorFailure =
  /** 429, with the time to wait where the vendor reports it. */
  | { readonly kind: 'rate_limited'; readonly retryAfterMs: number | null }
  /** The vendor refuses requests of this deployment, such as by a check for bots; retried later. */
  | { readonly kind: 'blocked'; readonly retryAfterMs: number | null }
  /** Not reached, or in trouble; retried. */
  | { readonly kind: 'unavailable' }
  /** An answer that the vendor's documentation does not have; retried a few times. */
  | {
      readonly kind: 'unexpected'
      readonly status: number | null
      /** What of the registered app the vendor does not accept, where it says so. */
      readonly appProblem?: AppProblem
    }
  /** The access token is no longer accepted; a new one is requested. */
  | { readonly kind: 'unauthorized' }
  /** Access is denied, for example for a missing scope; not retried. */
  | { readonly kind: 'refused' }
  /** Final: the connection has ended (docs/contract/02-users.md#connectionerrordetails). */
  | { readonly kind: 'ended'; readonly errorType: ConnectionErrorType }

/**
 * A part of an app that is wrong: its id or secret, its redirect address, its scopes, or the
 * version of the vendor's own app that Salus names.
 */
export type AppProblem = 'client' | 'redirect' | 'scopes' | 'version'

export type ConnectionErrorType =
  | 'token_refresh_failed'
  | 'webhook_registration_failed'
  | 'user_not_found'
  | 'deregistered_per_provider'
  | 'required_scopes_not_granted'
  | 'provider_credential_error'
  | 'provider_password_expired'
  | 'provider_consent_needed'
  | 'unknown'

/** Names the connector and the kind of failure, without any part of the request or answer. */
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

/** Addresses of a connector's vendor in an environment. */
export interface VendorAddress {
  readonly slug: string
  readonly hosts: Readonly<Record<string, string>>
  readonly agent: OutboundAgent
}

/** Limit of a whole answer; abbott_libreview may take a minute (docs/contract/03-link.md). */
const TIMEOUT_MS = 60_000
/** A day of one-second values is some megabytes. */
const MOST_BYTES = 64 * 1024 ** 2

/** Returns the full URL of a request. */
export function vendorUrl(
  hosts: Readonly<Record<string, string>>,
  { host = 'api', path, query = {} }: Pick<VendorRequest, 'host' | 'path' | 'query'>,
): string {
  const url = new URL(`${hosts[host]}${path}`)
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.delete(name)
    for (const one of [value ?? []].flat()) url.searchParams.append(name, one)
  }
  return url.href
}

/** Creates the function that sends requests to a vendor. */
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

/**
 * Fetches a file at an address that a vendor named.
 * @throws VendorError `unexpected` for an address at another host; by the status of the answer
 */
export async function fetchFile(
  { slug, hosts, agent }: VendorAddress,
  fileHosts: readonly string[],
  fileUrl: string,
): Promise<Buffer> {
  const url = URL.parse(fileUrl)
  // Emulated vendors name addresses of their own.
  const isOwn = Object.values(hosts).some((host) => fileUrl.startsWith(`${host}/`))
  const isNamed = url?.protocol === 'https:' && fileHosts.some((host) => isHost(url.hostname, host))
  if (!isOwn && !isNamed) throw new VendorError(slug, { kind: 'unexpected', status: null })
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES }
  try {
    const answer = await request(agent, { url: fileUrl, ...limits })
    const failure = failureOfStatus(answer)
    if (failure !== undefined) throw new VendorError(slug, failure)
    return answer.bytes()
  } catch (error) {
    if (error instanceof OutboundError) throw new VendorError(slug, { kind: 'unavailable' })
    throw error
  }
}

const isHost = (name: string, pattern: string): boolean =>
  pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern

const textOf = (json: unknown): string | undefined =>
  json === undefined ? undefined : JSON.stringify(json)

const decodeJson = (bytes: Buffer): unknown => parseVendorJson(bytes.toString('utf8'))

/**
 * Returns the JSON of an answer; undefined for a good answer without a body, such as 204.
 * @param decode Instead of JSON.
 * @throws VendorError by its status, or `unexpected` for invalid JSON
 */
export function readJson(
  slug: string,
  answer: OutboundAnswer,
  decode: (bytes: Buffer) => unknown = decodeJson,
): unknown {
  const failure = failureOfStatus(answer)
  if (failure !== undefined) throw new VendorError(slug, failure)
  if (answer.bytes().length === 0) return undefined
  try {
    return decode(answer.bytes())
  } catch (error) {
    if (error instanceof VendorError) throw error
    throw new VendorError(slug, { kind: 'unexpected', status: answer.status })
  }
}

/** Returns the usual failure of a status; undefined for success. */
export function failureOfStatus(answer: OutboundAnswer): VendorFailure | undefined {
  const { status } = answer
  if (status >= 200 && status < 300) return undefined
  if (status === 429) return { kind: 'rate_limited', retryAfterMs: retryAfterOf(answer) }
  if (status === 401) return { kind: 'unauthorized' }
  if (status === 403) return { kind: 'refused' }
  if (status === 408 || status >= 500) return { kind: 'unavailable' }
  return { kind: 'unexpected', status }
}

/** Parses seconds only: no known vendor sends a date. */
function retryAfterOf(answer: OutboundAnswer): number | null {
  const seconds = Number(answer.header('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
