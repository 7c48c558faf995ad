import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'

/** Opens a socket; a failure is reported later as an error. */
export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
) => Socket | undefined

export interface ConnectionOptions {
  readonly connect: Connect
  readonly keepAliveTimeoutMs: number
}

/**
 * Maximum number of requests of a socket, so that a connection that is never idle notices that its
 * name has moved.
 */
const REQUESTS_PER_SOCKET = 500

const BROKEN_OFF = new Error('broken off')

/** A connection to an origin for one request at a time; it opens a socket whenever it has none. */
export class Connection {
  readonly #client: Client
  #socket: Socket | undefined

  /** @throws Error of undici if the origin is not one of http or https. */
  constructor(origin: string, { connect, keepAliveTimeoutMs }: ConnectionOptions) {
    this.#client = new Client(origin, {
      connect: (target, callback) => {
        this.#socket = connect(target, callback)
      },
      keepAliveTimeout: keepAliveTimeoutMs,
      // A shorter time that the server requests counts.
      keepAliveMaxTimeout: keepAliveTimeoutMs,
      keepAliveTimeoutThreshold: 1_000,
      maxRequestsPerClient: REQUESTS_PER_SOCKET,
      // Each attempt has its own, exact limit; these would tick besides it once a second.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** Sends a request. The handler gets every error. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler)
  }

  /** Closes it for good. A request in progress fails with ClientDestroyedError. */
  async destroy(): Promise<void> {
    const destroyed = this.#client.destroy()
    // The client does not close a socket that is still being opened.
    this.#socket?.destroy(BROKEN_OFF)
    await destroyed
  }
}
