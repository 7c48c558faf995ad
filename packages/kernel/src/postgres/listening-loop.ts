import type pg from 'pg'
import { Rounds } from '../batching/rounds.ts'
import { type DatabaseSession, openSession } from './session.ts'

export interface ListeningLoopOptions {
  pool: pg.Pool
  channels: readonly string[]
  /** Called for each notification until the loop is stopped. */
  onNotification: (channel: string, payload: string) => void
  /** Called when the session breaks; its locks are gone then. */
  onLost?: () => void
  /** Looks for what is due. Two calls never overlap. */
  poll: () => Promise<void>
  /** Milliseconds from the end of a poll to the next one. */
  pollMs: number
  /** Called when a poll fails or cannot open the session, until the loop is stopped. */
  onError: (error: unknown) => void
}

/**
 * Listens to notifications on a session of its own, and polls, since a notification may get lost.
 * The session is opened by the first poll, and after a loss by the next one.
 */
export class ListeningLoop {
  readonly #options: ListeningLoopOptions
  readonly #rounds = new Rounds(() => this.#poll())
  #session: Promise<DatabaseSession> | undefined
  #timer: NodeJS.Timeout | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #isStopped = false

  /** Starts the first poll. */
  constructor(options: ListeningLoopOptions) {
    this.#options = options
    void this.poll()
  }

  /** Polls now, or once more after a poll that is under way; resolves when that poll has ended. */
  poll(): Promise<void> {
    return this.#rounds.request()
  }

  /** Polls after this many milliseconds, unless a poll is due earlier. */
  pollIn(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds
    if (this.#isStopped || this.#dueAt <= dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY
      void this.poll()
    }, milliseconds)
  }

  /** Takes a lock of the session; false when another session has it. */
  async tryLock(key: string): Promise<boolean> {
    return (await this.#open()).tryLock(key)
  }

  async unlock(key: string): Promise<void> {
    await (await this.#session)?.unlock(key)
  }

  /** Ends polls and notifications, and waits for a poll under way; locks are kept. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#rounds.stop()
  }

  /** Stops, and ends the session with its locks. */
  async close(): Promise<void> {
    await this.stop()
    const session = this.#session
    this.#session = undefined
    ;(await session?.catch(() => undefined))?.close()
  }

  async #poll(): Promise<void> {
    try {
      await this.#open()
      await this.#options.poll()
    } catch (error) {
      if (!this.#isStopped) this.#options.onError(error)
    }
    this.pollIn(this.#options.pollMs)
  }

  #open(): Promise<DatabaseSession> {
    const { pool, channels, onNotification, onLost } = this.#options
    this.#session ??= openSession(pool, {
      channels,
      onNotification: (channel, payload) => {
        if (!this.#isStopped) onNotification(channel, payload)
      },
      onLost: () => {
        this.#session = undefined
        onLost?.()
      },
    }).catch((error: unknown) => {
      this.#session = undefined
      throw error
    })
    return this.#session
  }
}
