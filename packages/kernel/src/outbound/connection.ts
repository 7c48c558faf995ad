import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'

/** Opens a socket; without one it reports an error later. */
export type Connect = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
) => Socket | undefined

export interface ConnectionOptions {
  readonly connect: Connect
  readonly keepAliveTimeoutMs: number
}

/** A connection has to see at times that its name moved, also if it is never idle. */
const REQUESTS_PER_SOCKET = 500

const BROKEN_OFF = new Error('broken off')

/**
 * One connection to an origin for one request at a time; it opens a socket whenever it has none.
 */
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
      // What a server asks for counts only if it is shorter.
      keepAliveMaxTimeout: keepAliveTimeoutMs,
      keepAliveTimeoutThreshold: 1_000,
      maxRequestsPerClient: REQUESTS_PER_SOCKET,
      // Each attempt has its own, exact limit; these would tick beside it once a second.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  }

  /** The handler hears of every error. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler)
  }

  /** Closes it for good. A request under way fails with ClientDestroyedError. */
  async destroy(): Promise<void> {
    const destroyed = this.#client.destroy()
    // The client leaves a socket alone that is still being opened.
    this.#socket?.destroy(BROKEN_OFF)
    await destroyed
  }
}
