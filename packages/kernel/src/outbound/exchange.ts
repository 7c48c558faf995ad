import type { Dispatcher } from 'undici'
import type { Connection } from './connection.ts'
import type { OriginConnections, Turn } from './origin-connections.ts'
import type { OutboundAgent } from './outbound-agent.ts'
import { classifyError, isOwnFault, type OutboundFault } from './outbound-error.ts'

export interface ExchangeRequest {
  readonly method: string
  /** URL with http or https and without credentials. */
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: Buffer | string | null
  /**
   * Time limit of everything: waiting for a free connection, connecting, headers and the kept body.
   */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Number of bytes of the answer's body that are kept. */
  readonly keptBytes: number
  /**
   * Whether the body must be complete. Otherwise a status that arrived in time counts, even if its
   * body is slow, endless or cut off; the rest after the kept part is not awaited, and that of a
   * long body is not downloaded.
   */
  readonly isWhole: boolean
}

export interface ExchangeOutcome {
  readonly status: number | null
  readonly headers: Record<string, string | string[] | undefined>
  /** The kept part, not decompressed. */
  readonly body: Buffer
  /** Time until the kept part of the body arrived, or the attempt was given up. */
  readonly durationMs: number
  readonly error: OutboundFault | null
}

/** Reading a body of at most this length is cheaper than a new connection. */
const DRAINED_BYTES = 64 * 1024

interface Settle {
  readonly resolve: (outcome: ExchangeOutcome) => void
  readonly reject: (reason: unknown) => void
}

/**
 * One request in progress. Nothing here may throw, because the client calls it from the events of a
 * socket.
 */
class Attempt implements Turn, Dispatcher.DispatchHandler {
  readonly #connections: OriginConnections
  readonly #options: Dispatcher.DispatchOptions
  readonly #settle: Settle
  readonly #signal: AbortSignal | undefined
  readonly #onAbort: (() => void) | undefined
  readonly #startedMs = performance.now()
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  readonly #keptBytes: number
  readonly #isWhole: boolean
  #connection: Connection | undefined
  #status: number | null = null
  #headers: ExchangeOutcome['headers'] = {}
  #readBytes = 0
  #isTooLong = false
  #isSettled = false

  constructor(connections: OriginConnections, url: URL, request: ExchangeRequest, settle: Settle) {
    const { method, headers, body, timeoutMs, signal } = request
    this.#connections = connections
    const path = url.pathname + url.search
    this.#options = { path, method: method as Dispatcher.HttpMethod, headers, body }
    this.#keptBytes = request.keptBytes
    this.#isWhole = request.isWhole
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
    this.#headers = headers
    this.#isTooLong = Number(headers['content-length']) > DRAINED_BYTES
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const missingBytes = this.#keptBytes - this.#readBytes
    this.#readBytes += chunk.length
    if (missingBytes > 0) {
      this.#chunks.push(chunk.length > missingBytes ? chunk.subarray(0, missingBytes) : chunk)
    }
    if (this.#isWhole) {
      if (this.#readBytes > this.#keptBytes) this.#breakOff('response_too_large')
      return
    }
    if (this.#readBytes < this.#keptBytes) return
    this.#resolve(null)
    if (this.#isTooLong || this.#readBytes > DRAINED_BYTES) this.#end(false)
  }

  onResponseEnd(): void {
    this.#resolve(null)
    this.#end(true)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#status === null && isOwnFault(error)) this.#reject(error)
    else this.#resolve(classifyError(error))
    this.#end(false)
  }

  static #giveUp(attempt: Attempt): void {
    attempt.#breakOff('timeout')
  }

  #breakOff(error: OutboundFault): void {
    this.#resolve(error)
    this.#end(false)
  }

  #cancel(reason: unknown): void {
    if (this.#status === null || this.#isWhole) this.#reject(reason)
    else this.#resolve(null)
    this.#end(false)
  }

  #resolve(error: OutboundFault | null): void {
    if (!this.#settleOnce()) return
    this.#settle.resolve({
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks),
      durationMs: Math.round(performance.now() - this.#startedMs),
      error: this.#status === null || this.#isWhole ? error : null,
    })
  }

  #reject(reason: unknown): void {
    if (this.#settleOnce()) this.#settle.reject(reason)
  }

  #settleOnce(): boolean {
    if (this.#isSettled) return false
    this.#isSettled = true
    if (this.#onAbort) this.#signal?.removeEventListener('abort', this.#onAbort)
    return true
  }

  /** Releases the connection. Later events, such as its end, are ignored. */
  #end(isReusable: boolean): void {
    clearTimeout(this.#timer)
    const connection = this.#connection
    this.#connection = undefined
    if (connection) this.#connections.release(connection, isReusable)
    else this.#connections.withdraw(this)
  }
}

/**
 * Sends one request. Whatever the remote side does, the promise is fulfilled within `timeoutMs`.
 * Redirects (3xx) are not followed, and nothing is sent again: an attempt that the remote side cut
 * off may have reached it or not.
 * @throws the reason of `signal` if it aborts before there is an answer; TypeError for a malformed
 *   URL; Error for headers that cannot be sent and for an agent that was closed.
 */
export function exchange(agent: OutboundAgent, request: ExchangeRequest): Promise<ExchangeOutcome> {
  return new Promise((resolve, reject) => {
    request.signal?.throwIfAborted()
    const url = new URL(request.url)
    const connections = agent.connectionsOf(url.origin)
    connections.request(new Attempt(connections, url, request, { resolve, reject }))
  })
}
