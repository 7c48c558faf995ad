import { ConnectionError, SalusError, TimeoutError, toApiError } from './errors.ts'
import { type Body, encodeBody, encodeQuery } from './request-body.ts'
import type {
  AdminOptions,
  Environment,
  Region,
  RequestOptions,
  SalusOptions,
} from './request-options.ts'
import { pause, pauseBeforeRetry } from './retries.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Kind of credential of a request. */
type Audience = 'team' | 'management' | 'link' | 'none'

interface Call extends Body {
  query?: object
  audience?: Audience
  /** Whether a POST or PATCH can be repeated without a further effect; other methods always can. */
  isRepeatable?: boolean
  /** Whether the endpoint takes an idempotency key: one is generated unless it is given. */
  isKeyed?: boolean
  /** Media type of a response that is not JSON. */
  accept?: string
  options?: RequestOptions
}

const DEFAULT_URL = 'http://127.0.0.1:8787'
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_RETRIES = 2

/** Sends requests with credentials and a timeout, and retries them where that is safe. */
export class HttpClient {
  readonly #options: SalusOptions
  readonly #baseUrl: string

  constructor(options: SalusOptions) {
    this.#options = checkOptions(options)
    this.#baseUrl = (options.baseUrl ?? DEFAULT_URL).replace(/\/+$/, '')
  }

  /** Returns the JSON of the response; undefined without a body. */
  async json<T>(method: Method, path: string, call: Call = {}): Promise<T> {
    return this.#sendAgain(method, path, call, async (response) => {
      const text = await response.text()
      if (text === '') return undefined as T
      try {
        return JSON.parse(text) as T
      } catch (cause) {
        const status = response.status
        throw new SalusError(`The response (${status}) is not JSON: is the address right?`, {
          cause,
        })
      }
    })
  }

  /** Returns the response with its body unread, to be read as bytes or as a stream. */
  async bytes(method: Method, path: string, call: Call = {}): Promise<Response> {
    return this.#sendAgain(method, path, call, async (response) => response)
  }

  /** Returns the path parameters of the management API. @throws TypeError for a missing one */
  context(options: AdminOptions = {}): Required<Pick<AdminOptions, keyof typeof CONTEXT>> {
    const known = { ...this.#options, ...withoutUndefined(options) }
    const find = <Name extends keyof typeof CONTEXT>(name: Name) => {
      const value = known[name]
      if (value !== undefined) return value
      throw new TypeError(`Give ${name} to the client or to the call: it is in the path.`)
    }
    return {
      get orgId() {
        return find('orgId') as string
      },
      get teamId() {
        return find('teamId') as string
      },
      environment: known.environment ?? environmentOf(this.#options) ?? 'sandbox',
      region: known.region ?? regionOf(this.#options) ?? 'us',
    }
  }

  async #sendAgain<T>(
    method: Method,
    path: string,
    call: Call,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { options = {}, isKeyed = false } = call
    const { signal, maxRetries = this.#options.maxRetries ?? DEFAULT_RETRIES } = options
    const isRepeatable =
      (isKeyed || call.isRepeatable === true || !['POST', 'PATCH'].includes(method)) &&
      !(call.file instanceof ReadableStream)
    // All attempts use the same key.
    const key = isKeyed ? (options.idempotencyKey ?? makeIdempotencyKey()) : undefined
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(method, path, call, key, read)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        const ms =
          attempt > maxRetries
            ? undefined
            : pauseBeforeRetry(error, { attempt, isRepeatable, isKeyed })
        if (ms === undefined) throw error
        await pause(ms, signal)
      }
    }
  }

  /** Sends one attempt. Its timeout includes `read`, but not a body that is read later. */
  async #send<T>(
    method: Method,
    path: string,
    call: Call,
    key: string | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { query, options = {} } = call
    const { timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal } = options
    const { body, type } = encodeBody(call)
    const headers = await this.#headers(call, type, key)
    const abort = new AbortController()
    const onAbort = () => abort.abort(signal?.reason)
    if (signal?.aborted) throw signal.reason
    signal?.addEventListener('abort', onAbort)
    const timer = setTimeout(() => abort.abort(new TimeoutError(lateness(timeoutMs))), timeoutMs)
    let keepsSignal = false
    try {
      const send = this.#options.fetch ?? fetch
      const init = { method, headers, body, signal: abort.signal, redirect: 'error' as const }
      const address = this.#baseUrl + path + encodeQuery(query)
      // Node requires it for streams.
      const response = await send(address, {
        ...init,
        ...(body && { duplex: 'half' }),
      } as RequestInit)
      if (!response.ok) {
        throw toApiError(response.status, response.headers, await response.text())
      }
      keepsSignal = call.accept !== undefined
      return await read(response)
    } catch (error) {
      if (error instanceof SalusError) throw error
      if (abort.signal.reason instanceof TimeoutError) throw abort.signal.reason
      if (signal?.aborted) throw signal.reason
      throw new ConnectionError(`${this.#baseUrl} did not respond.`, { cause: error })
    } finally {
      clearTimeout(timer)
      // A stream that is read later still needs the listener.
      if (!keepsSignal) signal?.removeEventListener('abort', onAbort)
    }
  }

  async #headers(
    { audience = 'team', accept = 'application/json', options = {} }: Call,
    type: string | undefined,
    key: string | undefined,
  ): Promise<Record<string, string>> {
    return {
      // An error is JSON whatever the request accepts.
      accept: accept.includes('json') ? accept : `${accept}, application/json;q=0.1`,
      ...(type !== undefined && { 'content-type': type }),
      ...(key !== undefined && { 'x-idempotency-key': key }),
      ...(await this.#credential(audience)),
      ...this.#options.headers,
      ...options.headers,
    }
  }

  async #credential(audience: Audience): Promise<Record<string, string>> {
    const { apiKey, accessToken, managementKey, linkToken } = this.#options
    if (audience === 'none') return {}
    if (audience === 'management' && managementKey) return { 'x-management-key': managementKey }
    if (audience === 'link' && linkToken) return { 'x-service-link-token': linkToken }
    if (audience === 'team' && apiKey) return { 'x-service-api-key': apiKey }
    if (audience === 'team' && accessToken) {
      const token = typeof accessToken === 'function' ? await accessToken() : accessToken
      return { authorization: `Bearer ${token}` }
    }
    throw new TypeError(`Give ${CREDENTIALS[audience]} to the client: this call needs it.`)
  }
}

const CREDENTIALS = {
  team: '`apiKey` or `accessToken`',
  management: '`managementKey`',
  link: '`linkToken`',
}

const CONTEXT = { orgId: true, teamId: true, environment: true, region: true }

const lateness = (ms: number): string => `There was no response within ${ms} ms.`

function withoutUndefined(options: AdminOptions): AdminOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** `sk_us_…` is a key of the sandbox in the region us. */
const environmentOf = ({ apiKey = '' }: SalusOptions): Environment | undefined =>
  (({ sk: 'sandbox', pk: 'production' }) as const)[apiKey.slice(0, apiKey.indexOf('_'))]

const regionOf = ({ apiKey = '' }: SalusOptions): Region | undefined =>
  /^.k_(us|eu)_/.exec(apiKey)?.[1] as Region | undefined

/** @throws TypeError when the key is of the other environment, before it is used there */
function checkOptions(options: SalusOptions): SalusOptions {
  const ofKey = environmentOf(options)
  if (ofKey !== undefined && options.environment !== undefined && ofKey !== options.environment) {
    throw new TypeError(`The key is for the ${ofKey}, but environment is ${options.environment}.`)
  }
  return options
}

/** randomUUID is missing in pages without TLS. */
function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
