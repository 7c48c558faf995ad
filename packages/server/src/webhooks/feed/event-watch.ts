import type { Db } from '@salus/kernel/postgres/database'
import { rowScope } from '@salus/kernel/scope'
import type { EventNotifications } from './event-notifications.ts'
import { findNextEvents } from './feed.global.repository.ts'
import { type FeedEvent, type FeedPosition, isBefore, listEventsAfter } from './feed.repository.ts'

/** Interval of checks without a notification, because one may get lost. */
const QUIET_MS = 1_000
/** Interval of checks for an event that waits for an older transaction. */
const WITHHELD_MS = 50
/** Notifications of many events that arrive within this time cause one check. */
const GAP_MS = 10

interface Waiting {
  environmentId: string
  position: FeedPosition
  wake: () => void
}

/**
 * Checks for events on behalf of all streams of this process: one statement per second however many
 * there are, and one for each notification. Only streams with events to read wake up.
 */
export class EventWatch {
  readonly #db: Db
  readonly #notifications: EventNotifications
  readonly #waiting = new Set<Waiting>()
  readonly #reads = new Map<string, Promise<FeedEvent[]>>()
  #streams = 0
  #stopListening: (() => void) | undefined
  #notificationCount = 0
  #timer: NodeJS.Timeout | undefined
  #dueAt = Number.POSITIVE_INFINITY
  #isLooking = false

  constructor(db: Db, notifications: EventNotifications) {
    this.#db = db
    this.#notifications = notifications
  }

  /** Adds a stream, until the returned function is called. */
  join(): () => void {
    this.#streams += 1
    this.#stopListening ??= this.#notifications.listen(() => {
      this.#notificationCount += 1
      this.#lookIn(GAP_MS)
    })
    return () => {
      this.#streams -= 1
      if (this.#streams > 0) return
      this.#stopListening?.()
      this.#stopListening = undefined
    }
  }

  /** Number of notifications so far; to be read before a read that is followed by a wait. */
  get notificationCount(): number {
    return this.#notificationCount
  }

  /** Reads further events; streams at the same position of one environment share the read. */
  read(environmentId: string, position: FeedPosition, limit: number): Promise<FeedEvent[]> {
    // One that began before the last notification may be too old.
    const after = `${position.transactionId} ${position.sequence}`
    const key = `${environmentId} ${after} ${this.#notificationCount}`
    const shared = this.#reads.get(key)
    if (shared !== undefined) return shared
    const scope = rowScope(this.#db, environmentId)
    const read = listEventsAfter(scope, position, limit).finally(() => this.#reads.delete(key))
    this.#reads.set(key, read)
    return read
  }

  /**
   * Waits until there are events after the position; returns false when the time is over first, or
   * the signal aborts. `countBefore` is the notificationCount before the stream's last read.
   */
  async untilEvents(
    environmentId: string,
    position: FeedPosition,
    { countBefore, mostMs, signal }: { countBefore: number; mostMs: number; signal: AbortSignal },
  ): Promise<boolean> {
    if (signal.aborted) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting = { environmentId, position, wake: () => resolve(true) }
    const giveUp = (): void => resolve(false)
    const timer = setTimeout(giveUp, mostMs)
    signal.addEventListener('abort', giveUp)
    this.#waiting.add(waiting)
    this.#lookIn(this.#notificationCount === countBefore ? QUIET_MS : 0)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      this.#waiting.delete(waiting)
    }
  }

  #lookIn(milliseconds: number): void {
    const dueAt = performance.now() + milliseconds
    if (this.#isLooking || this.#dueAt <= dueAt) {
      if (dueAt < this.#dueAt) this.#dueAt = dueAt
      return
    }
    clearTimeout(this.#timer)
    this.#dueAt = dueAt
    this.#timer = setTimeout(() => void this.#look(), milliseconds)
  }

  async #look(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY
    if (this.#waiting.size === 0) return
    this.#isLooking = true
    this.#notifications.ensure()
    const isWithheld = await this.#wakeReaders().catch(() => {
      // Each finds the problem itself.
      for (const { wake } of this.#waiting) wake()
      return false
    })
    this.#isLooking = false
    const asked = Math.max(this.#dueAt - performance.now(), 0)
    this.#dueAt = Number.POSITIVE_INFINITY
    if (this.#waiting.size > 0 || asked < QUIET_MS) {
      this.#lookIn(Math.min(asked, isWithheld ? WITHHELD_MS : QUIET_MS))
    }
  }

  /**
   * Wakes the streams that can read further events; returns true when there are events that cannot
   * be read yet.
   */
  async #wakeReaders(): Promise<boolean> {
    const waiting = [...this.#waiting]
    const least = new Map<string, FeedPosition>()
    for (const { environmentId, position } of waiting) {
      const known = least.get(environmentId)
      if (known === undefined || isBefore(position, known)) least.set(environmentId, position)
    }
    const next = await findNextEvents(this.#db, least)
    for (const { environmentId, wake } of waiting) if (next.get(environmentId) === true) wake()
    return [...next.values()].includes(false)
  }
}
