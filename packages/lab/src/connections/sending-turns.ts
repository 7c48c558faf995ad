import { setTimeout as pause } from 'node:timers/promises'

/** Locks of a session of the database: they end with it, and nothing waits inside of it. */
export interface SessionLocks {
  tryLock(key: string): Promise<boolean>
  unlock(key: string): Promise<void>
}

/** Pause between two tries to lock what another process has. */
const PATIENCE_MS = 50

/**
 * The turns of the processes at connections: one message of a connection is in flight. All turns of
 * a process share one session, so that a laboratory that takes minutes to answer holds no
 * connection of the pool.
 */
export class SendingTurns {
  readonly #locks: SessionLocks
  /** The last turn of this process by connection: each waits for the one before. */
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(locks: SessionLocks) {
    this.#locks = locks
  }

  /**
   * Runs `send` when no other send of the connection is in progress, here or in another process.
   * @throws what `send` throws; Error when the database cannot be reached
   */
  take<T>(connectionId: string, send: () => Promise<T>): Promise<T> {
    const before = this.#last.get(connectionId) ?? Promise.resolve()
    const turn = before.then(() => this.#sendAlone(connectionId, send))
    const ended = turn.catch(() => undefined)
    this.#last.set(connectionId, ended)
    void ended.then(() => {
      if (this.#last.get(connectionId) === ended) this.#last.delete(connectionId)
    })
    return turn
  }

  async #sendAlone<T>(connectionId: string, send: () => Promise<T>): Promise<T> {
    const own = `lab sending ${connectionId}`
    const next = `${own} next`
    // Who waits has `next`, so a process with many messages cannot pass another one by.
    await this.#lock(next)
    try {
      await this.#lock(own)
    } finally {
      await this.#unlock(next)
    }
    try {
      return await send()
    } finally {
      await this.#unlock(own)
    }
  }

  /** A session that broke is noticed by its next lock, and opened again for the one after it. */
  async #lock(key: string): Promise<void> {
    const tryLock = () => this.#locks.tryLock(key)
    while (!(await tryLock().catch(tryLock))) await pause(PATIENCE_MS)
  }

  /** A failure must not hide the answer of the laboratory; a broken session has no locks. */
  async #unlock(key: string): Promise<void> {
    await this.#locks.unlock(key).catch(() => undefined)
  }
}
