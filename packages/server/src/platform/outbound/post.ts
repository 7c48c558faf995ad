import type { Dispatcher } from 'undici'
import type { Connection } from './connection.ts'
import type { OriginConnections, Turn } from './origin-connections.ts'
import type { OutboundAgent } from './outbound-agent.ts'
import { classifyPostError, isOwnFault, type PostError } from './post-error.ts'

export interface PostRequest {
  /** http or https, without credentials. */
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer | string
  /** For everything: waiting for a free connection, connecting, headers and the kept body. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface PostOutcome {
  /** Null exactly if there is an error. Redirects (3xx) are not followed. */
  readonly status: number | null
  /** Until the kept part of the body was there, or the attempt was given up. */
  readonly durationMs: number
  /** The first 4 KiB as UTF-8 without NULs, not decompressed; '' if there is none. */
  readonly responseBody: string
  readonly error: PostError | null
}

const KEPT_BYTES = 4 * 1024
/** As long as a body is at most this long, reading it is cheaper than a new connection. */
const DRAINED_BYTES = 64 * 1024

interface Settle {
  readonly resolve: (outcome: PostOutcome) => void
  readonly reject: (reason: unknown) => void
}

function decodeBody(chunks: readonly Buffer[]): string {
  const [first] = chunks
  if (first === undefined) return ''
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  return bytes.toString('utf8').replaceAll('\0', '')
}

/** One request under way. Nothing here may throw: the client calls it from the events of a socket. */
class Attempt implements Turn, Dispatcher.DispatchHandler {
  readonly #connections: OriginConnections
  readonly #options: Dispatcher.DispatchOptions
  readonly #settle: Settle
  readonly #signal: AbortSignal | undefined
  readonly #onAbort: (() => void) | undefined
  readonly #startedMs = performance.now()
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #connection: Connection | undefined
  #status: number | null = null
  #readBytes = 0
  #isTooLong = false
  #isSettled = false

  constructor(connections: OriginConnections, url: URL, request: PostRequest, settle: Settle) {
    const { headers, body, timeoutMs, signal } = request
    this.#connections = connections
    this.#options = { path: url.pathname + url.search, method: 'POST', headers, body }
    this.#settle = settle
    this.#signal = signal
    this.#timer = setTimeout(Attempt.#giveUp, timeoutMs, this)
    if (signal) {
      this.#onAbort = () => this.#cancel(signal.reason)
      signal.addEventListener('abort', this.#onAbort, { once: true })
    }
  }

  start(connection: Connection): void {
    this.#connection = connection
    connection.dispatch(this.#options, this)
  }

  fail(reason: unknown): void {
    this.#reject(reason)
    this.#end(false)
  }

  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#isTooLong = Number(headers['content-length']) > DRAINED_BYTES
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const missingBytes = KEPT_BYTES - this.#readBytes
    this.#readBytes += chunk.length
    if (missingBytes > 0) {
      this.#chunks.push(chunk.length > missingBytes ? chunk.subarray(0, missingBytes) : chunk)
    }
    if (this.#readBytes < KEPT_BYTES) return
    this.#resolve(null)
    if (this.#isTooLong || this.#readBytes > DRAINED_BYTES) this.#end(false)
  }

  onResponseEnd(): void {
    this.#resolve(null)
    this.#end(true)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status === null && isOwnFault(error)) this.#reject(error)
    else this.#resolve(classifyPostError(error))
    this.#end(false)
  }

  static #giveUp(attempt: Attempt): void {
    attempt.#resolve('timeout')
    attempt.#end(false)
  }

  #cancel(reason: unknown): void {
    if (this.#status === null) this.#reject(reason)
    else this.#resolve(null)
    this.#end(false)
  }

  #resolve(error: PostError | null): void {
    if (!this.#markSettled()) return
    this.#settle.resolve({
      status: this.#status,
      durationMs: Math.round(performance.now() - this.#startedMs),
      responseBody: decodeBody(this.#chunks),
      error: this.#status === null ? error : null,
    })
  }

  #reject(reason: unknown): void {
    if (this.#markSettled()) this.#settle.reject(reason)
  }

  #markSettled(): boolean {
    if (this.#isSettled) return false
    this.#isSettled = true
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort)
    return true
  }

  /** Gives the connection back. What comes of it afterwards, as it is broken off, is ignored. */
  #end(isReusable: boolean): void {
    clearTimeout(this.#timer)
    const connection = this.#connection
    this.#connection = undefined
    if (connection) this.#connections.release(connection, isReusable)
    else this.#connections.withdraw(this)
  }
}

/**
 * Sends one POST. Whatever the remote side does, the promise is fulfilled within `timeoutMs`. A
 * status that came in time counts, even if its body is slow, endless or cut off; what is beyond the
 * kept part of a body is not awaited, and of a long one not downloaded.
 *
 * Nothing is sent again: an attempt that the remote side cut off may have reached it or not.
 *
 * @throws the reason of `signal` if it aborts before there is a status; TypeError for a malformed
 *   URL; Error for headers that cannot be sent and for an agent that was closed.
 */
export function post(agent: OutboundAgent, request: PostRequest): Promise<PostOutcome> {
  return new Promise((resolve, reject) => {
    request.signal?.throwIfAborted()
    const url = new URL(request.url)
    const connections = agent.connectionsOf(url.origin)
    connections.request(new Attempt(connections, url, request, { resolve, reject }))
  })
}
