/**
 * Runs one round of work at a time. However many requests come during a round, they share a single
 * further one, so that each request is followed by a round that began after it.
 */
export class Rounds {
  readonly #round: () => Promise<void>
  #running: Promise<void> | undefined
  #isRequested = false
  #isStopped = false

  constructor(round: () => Promise<void>) {
    this.#round = round
  }

  /**
   * Resolves when no round is requested any more; does nothing once stopped.
   * @throws what a round throws; what was requested meanwhile waits for the next request then
   */
  request(): Promise<void> {
    if (this.#isStopped) return Promise.resolve()
    this.#isRequested = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Starts no further round, and waits for the one under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running?.catch(() => undefined)
  }

  async #run(): Promise<void> {
    try {
      while (this.#isRequested && !this.#isStopped) {
        this.#isRequested = false
        await this.#round()
      }
    } finally {
      // Not in a callback of the promise: a request in between would be lost.
      this.#running = undefined
    }
  }
}
