import { EVENTS_CHANNEL } from '@salus/kernel/events/outbox'
import type { Logger } from '@salus/kernel/log'
import { type DatabaseSession, openSession } from '@salus/kernel/postgres/session'
import type pg from 'pg'

/** Notifications of committed events, from one connection for all listeners of this process. */
export class EventNotifications {
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #listeners = new Set<() => void>()
  #session: Promise<DatabaseSession | undefined> | undefined

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool
    this.#log = log
  }

  /** Calls `listener` for each of them, until the returned function is called. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#session ??= this.#open()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) void this.#close()
    }
  }

  async #open(): Promise<DatabaseSession | undefined> {
    try {
      return await openSession(this.#pool, {
        channels: [EVENTS_CHANNEL],
        onNotification: () => {
          for (const listener of this.#listeners) listener()
        },
        onLost: () => {
          this.#session = undefined
        },
      })
    } catch (error) {
      // Listeners also check regularly without a notification, and then this is tried again.
      this.#log.warn({ err: error }, 'event notifications are not available')
      this.#session = undefined
      return undefined
    }
  }

  /** Opens a lost connection again. */
  ensure(): void {
    if (this.#listeners.size > 0) this.#session ??= this.#open()
  }

  async #close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    ;(await session)?.close()
  }
}
