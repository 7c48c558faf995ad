import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '@salus/kernel/http/app-types'
import type { InjectOptions } from 'fastify'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Headers that identify the sender of the request; requests of the filling are sent in their name.
 */
const CALLER_HEADERS = [
  ...['host', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-for'],
  ...['x-management-key', 'cookie', 'x-salus-console', 'origin', 'sec-fetch-site', 'user-agent'],
] as const

/** The caller who has the team filled: headers and address of the request. */
export interface Caller {
  headers: Record<string, string>
  address: string
}

/**
 * Keeps the headers that identify the caller, and drops the rest; `address` is that of the
 * connection.
 */
export function callerOf(headers: IncomingHttpHeaders, address: string): Caller {
  const known = CALLER_HEADERS.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return { headers: Object.fromEntries(known), address }
}

/** A request of the filling with an unexpected answer: its operation and the answer. */
export class DemoFailure extends Error {
  readonly errorType: string

  constructor(operation: string, status: number, errorType: string) {
    super(`${operation} was answered with ${status}${errorType && ` (${errorType})`}.`)
    this.name = 'DemoFailure'
    this.errorType = errorType
  }
}

/** A page of an emulated provider, as a browser gets it. */
export interface VisitedPage {
  url: string
  html: string
  /** Target of a redirect. */
  location: string | undefined
}

/**
 * Sends requests to the public API of the deployment, inside the process: every request goes
 * through the same routes, checks and records as one from outside.
 */
export class DemoClient {
  readonly #app: App
  readonly #caller: Caller
  readonly #signal: AbortSignal
  readonly #orgId: string
  #teamKey = ''

  constructor(app: App, orgId: string, caller: Caller, signal: AbortSignal) {
    this.#app = app
    this.#caller = caller
    this.#signal = signal
    this.#orgId = orgId
  }

  /** Uses this key for further requests of the team API. */
  useTeamKey(value: string): void {
    this.#teamKey = value
  }

  /** Sends a request of the management API, below the organization. @throws DemoFailure */
  callManagementApi<Body>(method: Method, path: string, body?: unknown): Promise<Body> {
    const url = `/v1/org/${this.#orgId}${path}`
    return this.#send(method, url, body, this.#caller.headers)
  }

  /** Sends a request of the team API, in the sandbox of the demo team. @throws DemoFailure */
  callTeamApi<Body>(method: Method, url: string, body?: unknown, headers = {}): Promise<Body> {
    const { host = 'localhost' } = this.#caller.headers
    return this.#send(method, url, body, { host, 'x-service-api-key': this.#teamKey, ...headers })
  }

  /**
   * Opens a page, or sends a form to it, without following redirects; the address may be absolute.
   */
  async browse(address: string, form?: URLSearchParams): Promise<VisitedPage> {
    const { host = 'localhost' } = this.#caller.headers
    const { pathname, search } = new URL(address, `http://${host}`)
    const url = pathname + search
    const answer = await this.#inject({
      method: form === undefined ? 'GET' : 'POST',
      url,
      headers: {
        host,
        accept: 'text/html',
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { payload: form.toString() }),
    })
    if (answer.statusCode >= 400)
      throw new DemoFailure(`The page ${pathname}`, answer.statusCode, '')
    const { location } = answer.headers
    return {
      url,
      html: answer.body,
      location: location === undefined ? undefined : String(location),
    }
  }

  async #send<Body>(method: Method, url: string, body: unknown, headers: object): Promise<Body> {
    const isJson = body !== undefined && !Buffer.isBuffer(body)
    const answer = await this.#inject({
      method,
      url,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { payload: isJson ? JSON.stringify(body) : (body as Buffer) }),
    })
    const { statusCode: status } = answer
    const isAnswered = String(answer.headers['content-type']).includes('json')
    const parsed = isAnswered && answer.body !== '' ? answer.json() : undefined
    if (status < 300) return parsed as Body
    // Ids are removed from what is stored and logged.
    const operation = `${method} ${url.replace(/\?.*/, '').replace(/[0-9a-f-]{36}/g, '…')}`
    throw new DemoFailure(operation, status, parsed?.detail?.error_type ?? '')
  }

  #inject(options: InjectOptions) {
    this.#signal.throwIfAborted()
    return this.#app.inject({ ...options, remoteAddress: this.#caller.address })
  }
}
