import { inspect, promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { inSpan } from '../telemetry/tracing.ts'
import { type ExchangeOutcome, exchange } from './exchange.ts'
import type { OutboundAgent } from './outbound-agent.ts'
import { OutboundError } from './outbound-error.ts'

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** URL with http or https and without credentials. */
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: Buffer | string
  /**
   * Time limit of everything, including redirects. The time limit of connecting is an option of the
   * agent.
   */
  readonly timeoutMs: number
  /** Maximum number of bytes of the answer's body, compressed or not. */
  readonly maxBytes: number
  /** Maximum number of redirects of a GET or HEAD; without it a 3xx is the answer. */
  readonly maxRedirects?: number
  readonly signal?: AbortSignal
}

const UNREADABLE = 'invalid_response'
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const unpack = promisify(gunzip)

/** A complete answer. Logs and error messages show its host and status, but not its content. */
export class OutboundAnswer {
  readonly host: string
  readonly status: number
  readonly #headers: ExchangeOutcome['headers']
  readonly #body: Buffer

  constructor(host: string, status: number, headers: ExchangeOutcome['headers'], body: Buffer) {
    this.host = host
    this.status = status
    this.#headers = headers
    this.#body = body
  }

  /** Returns a header by its name in lower case; the first, if there are several. */
  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /** Returns all values of a header by its name in lower case, such as those of `set-cookie`. */
  headerValues(name: string): readonly string[] {
    return [this.#headers[name] ?? []].flat()
  }

  bytes(): Buffer {
    return this.#body
  }

  /** @throws OutboundError `invalid_response` for a body that is not JSON */
  json(): unknown {
    try {
      return JSON.parse(this.#body.toString('utf8'))
    } catch {
      throw new OutboundError(this.host, UNREADABLE, this.status)
    }
  }

  toJSON() {
    return { host: this.host, status: this.status }
  }

  [inspect.custom]() {
    return this.toJSON()
  }
}

/**
 * Sends a request to another service and waits for its complete answer, of any status. Nothing is
 * sent again: whether and when that is right is for the caller to decide. A redirect may lead
 * anywhere the agent may connect to, but never from https to http, and a request to another origin
 * has none of the headers that were meant for the first.
 * @throws OutboundError for everything that the remote side or the way to it does wrong; the reason
 *   of `signal` if it aborts; TypeError for a malformed URL.
 */
export async function request(
  agent: OutboundAgent,
  wanted: OutboundRequest,
): Promise<OutboundAnswer> {
  const deadlineMs = performance.now() + wanted.timeoutMs
  let { url, headers = {} } = wanted
  for (let redirects = wanted.maxRedirects ?? 0; ; redirects--) {
    const left = { ...wanted, url, headers, timeoutMs: Math.max(1, deadlineMs - performance.now()) }
    const answer = await requestOnce(agent, left)
    const next = redirects > 0 ? findRedirect(wanted, url, answer) : undefined
    if (next === undefined) return answer
    if (next.origin !== new URL(url).origin) headers = {}
    url = next.href
  }
}

function requestOnce(agent: OutboundAgent, wanted: OutboundRequest): Promise<OutboundAnswer> {
  const { method = 'GET', url } = wanted
  const { host, hostname } = new URL(url)
  // Only the host is recorded, because the rest of the URL may name a person's account. The remote
  // side does not get the id of the trace either.
  const attributes = { 'http.request.method': method, 'server.address': hostname }
  return inSpan(method, { kind: 'client', attributes }, async (span) => {
    const answer = await receive(agent, wanted, host)
    span?.set({ 'http.response.status_code': answer.status })
    return answer
  })
}

async function receive(
  agent: OutboundAgent,
  { method = 'GET', url, headers = {}, body, timeoutMs, maxBytes, signal }: OutboundRequest,
  host: string,
): Promise<OutboundAnswer> {
  const outcome = await exchange(agent, {
    method,
    url,
    headers: { 'accept-encoding': 'gzip', ...headers },
    body: body ?? null,
    timeoutMs,
    signal,
    keptBytes: maxBytes,
    isWhole: true,
  })
  const { status, error } = outcome
  if (error !== null || status === null) {
    throw new OutboundError(host, error ?? UNREADABLE, status)
  }
  const content = await decompress(outcome, maxBytes).catch((fault: Error) => {
    const isTooLarge = 'code' in fault && fault.code === 'ERR_BUFFER_TOO_LARGE'
    throw new OutboundError(host, isTooLarge ? 'response_too_large' : UNREADABLE, status)
  })
  return new OutboundAnswer(host, status, outcome.headers, content)
}

async function decompress(
  { headers, body }: ExchangeOutcome,
  maxOutputLength: number,
): Promise<Buffer> {
  const encoding = headers['content-encoding']
  if (body.length === 0 || encoding === undefined || encoding === 'identity') return body
  if (encoding === 'gzip' || encoding === 'x-gzip') return unpack(body, { maxOutputLength })
  throw new Error('an encoding that was not requested')
}

/** Returns the URL of a redirect; undefined if it is not followed. */
function findRedirect(
  { method = 'GET' }: OutboundRequest,
  from: string,
  answer: OutboundAnswer,
): URL | undefined {
  const location = answer.header('location')
  const isFollowed = REDIRECTS.has(answer.status) && (method === 'GET' || method === 'HEAD')
  if (!isFollowed || location === undefined) return undefined
  const next = URL.parse(location, from)
  const isDowngrade = next?.protocol !== 'https:' && from.startsWith('https:')
  const isWeb = next?.protocol === 'https:' || next?.protocol === 'http:'
  if (next === null || !isWeb || isDowngrade || next.username !== '' || next.password !== '') {
    throw new OutboundError(answer.host, 'refused_redirect', answer.status)
  }
  return next
}
