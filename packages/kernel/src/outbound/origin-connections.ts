import { Connection, type ConnectionOptions } from './connection.ts'

/** A request that gets a connection for itself until it releases it. */
export interface Turn {
  /** Called at most once, at once or when a connection is free. Must not throw. */
  start(connection: Connection): void
  /** Called instead if the turn was still waiting when all connections were destroyed. */
  fail(reason: Error): void
}

/**
 * The connections to one origin, at most `limit` in use at once; further turns wait in a row. This
 * replaces the pools of undici, for three reasons. Breaking off a request there opens another
 * connection for nothing. A failing origin gets more connections than the limit. And its agent
 * counts the connections of an origin under the origin's name: once a server closes one under load,
 * the removal of the old pool removes the new one too, so that from then on nearly every request
 * opens a connection.
 */
export class OriginConnections {
  readonly #origin: string
  readonly #limit: number
  readonly #options: ConnectionOptions
  readonly #idle: Connection[] = []
  readonly #busy = new Set<Connection>()
  readonly #waiting = new Set<Turn>()
  readonly #onQuiet: (() => void)[] = []

  /** @throws Error of undici if the origin is not one of http or https. */
  constructor(origin: string, limit: number, options: ConnectionOptions) {
    this.#origin = origin
    this.#limit = limit
    this.#options = options
    this.#idle.push(new Connection(origin, options))
  }

  get isQuiet(): boolean {
    return this.#busy.size === 0
  }

  request(turn: Turn): void {
    if (this.#busy.size < this.#limit) this.#start(turn)
    else this.#waiting.add(turn)
  }

  /** Removes a turn that has not started. */
  withdraw(turn: Turn): void {
    this.#waiting.delete(turn)
  }

  /**
   * Ends a turn. A connection with a request still in progress is not reusable and is destroyed.
   */
  release(connection: Connection, isReusable: boolean): void {
    // Many servers close a connection after an answer without having said so. One round of the
    // event loop later that is known, before the next request would be lost with it.
    if (isReusable) setImmediate(() => this.#free(connection, true))
    else this.#free(connection, false)
  }

  /** Waits for the turns that have started or wait, then closes everything. */
  async close(): Promise<void> {
    if (!this.isQuiet) await new Promise<void>((resolve) => this.#onQuiet.push(resolve))
    await this.destroy()
  }

  /** Destroys all connections: requests in progress fail with ClientDestroyedError. */
  async destroy(): Promise<void> {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const turn of waiting) turn.fail(new Error('The outbound agent is closed.'))
    await Promise.all([...this.#idle, ...this.#busy].map((connection) => connection.destroy()))
  }

  #free(connection: Connection, isReusable: boolean): void {
    this.#busy.delete(connection)
    if (isReusable) this.#idle.push(connection)
    else void connection.destroy()
    const [next] = this.#waiting
    if (next !== undefined) {
      this.#waiting.delete(next)
      this.#start(next)
    } else if (this.isQuiet) {
      for (const resolve of this.#onQuiet.splice(0)) resolve()
    }
  }

  #start(turn: Turn): void {
    // Uses the connection that was used last, because it is the most likely to be still open.
    const connection = this.#idle.pop() ?? new Connection(this.#origin, this.#options)
    this.#busy.add(connection)
    turn.start(connection)
  }
}
