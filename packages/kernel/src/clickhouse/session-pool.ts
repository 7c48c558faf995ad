import type { Session } from 'chdb'

/**
 * Sessions for one kind of work: opened when first needed, and lent in the order of the requests.
 */
export class SessionPool {
  readonly #open: () => Promise<Session>
  readonly #size: number
  readonly #sessions: Session[] = []
  readonly #idle: Session[] = []
  readonly #waiting: PromiseWithResolvers<Session>[] = []
  #opening = 0

  constructor(size: number, open: () => Promise<Session>) {
    this.#size = size
    this.#open = open
  }

  /** Runs `work` with a session that no other work uses until it ends. */
  async run<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await this.acquire()
    try {
      return await work(session)
    } finally {
      this.release(session)
    }
  }

  async acquire(): Promise<Session> {
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#sessions.length + this.#opening >= this.#size) {
      const turn = Promise.withResolvers<Session>()
      this.#waiting.push(turn)
      return turn.promise
    }
    this.#opening += 1
    try {
      const session = await this.#open()
      this.#sessions.push(session)
      return session
    } catch (error) {
      // Without a session no work would ever pass one to those who wait.
      if (this.#sessions.length === 0) {
        for (const turn of this.#waiting.splice(0)) turn.reject(error)
      }
      throw error
    } finally {
      this.#opening -= 1
    }
  }

  release(session: Session): void {
    const next = this.#waiting.shift()
    if (next) next.resolve(session)
    else this.#idle.push(session)
  }

  /** Closes every session; the caller has waited for their work. */
  close(): void {
    for (const session of this.#sessions) session.close()
  }
}
