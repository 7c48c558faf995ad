import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { EVENTS_CHANNEL } from '@salus/kernel/events/outbox'
import type { Logger } from '@salus/kernel/log'
import type { Db } from '@salus/kernel/postgres/database'
import { ListeningLoop } from '@salus/kernel/postgres/listening-loop'
import { rowScope } from '@salus/kernel/scope'
import type pg from 'pg'
import { listEventsAfter } from '../history/all-events.ts'
import { findNextEvents } from './feed.global.repository.ts'
import { type FeedEvent, type FeedPosition, isBefore } from './feed.repository.ts'

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

interface EventWatchOptions {
  db: Db
  clickhouse: ClickHouse
  pool: pg.Pool
  log: Logger
}

/**
 * Checks for events on behalf of all streams of this process: one statement per second however many
 * there are, and one for each notification. Only streams with events to read wake up.
 */
export class EventWatch {
  readonly #db: Db
  readonly #clickhouse: ClickHouse
  readonly #pool: pg.Pool
  readonly #log: Logger
  readonly #waiting = new Set<Waiting>()
  readonly #reads = new Map<string, Promise<FeedEvent[]>>()
  #streams = 0
  /** One loop for all streams; it runs while there is a stream. */
  #loop: ListeningLoop | undefined
  #notificationCount = 0

  constructor({ db, clickhouse, pool, log }: EventWatchOptions) {
    this.#db = db
    this.#clickhouse = clickhouse
    this.#pool = pool
    this.#log = log
  }

  /** Adds a stream, until the returned function is called. */
  join(): () => void {
    this.#streams += 1
    this.#loop ??= this.#listen()
    return () => {
      this.#streams -= 1
      if (this.#streams > 0) return
      void this.#loop?.close()
      this.#loop = undefined
    }
  }

  #listen(): ListeningLoop {
    return new ListeningLoop({
      pool: this.#pool,
      channels: [EVENTS_CHANNEL],
      onNotification: () => {
        this.#notificationCount += 1
        this.#loop?.pollIn(GAP_MS)
      },
      poll: () => this.#wakeReaders(),
      pollMs: QUIET_MS,
      onError: (error) => {
        this.#log.warn({ err: error }, 'no notifications of events')
        // Each stream finds the problem itself.
        for (const { wake } of this.#waiting) wake()
      },
    })
  }

  /** Number of notifications so far. Read it before a read that is followed by a wait. */
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
    const scope = { ...rowScope(this.#db, environmentId), clickhouse: this.#clickhouse }
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
    if (this.#notificationCount !== countBefore) this.#loop?.pollIn(0)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      this.#waiting.delete(waiting)
    }
  }

  /**
   * Wakes the streams that can read further events, and polls again soon for events that cannot be
   * read yet.
   */
  async #wakeReaders(): Promise<void> {
    const waiting = [...this.#waiting]
    if (waiting.length === 0) return
    const least = new Map<string, FeedPosition>()
    for (const { environmentId, position } of waiting) {
      const known = least.get(environmentId)
      if (known === undefined || isBefore(position, known)) least.set(environmentId, position)
    }
    const next = await findNextEvents(this.#db, least)
    for (const { environmentId, wake } of waiting) if (next.get(environmentId) === true) wake()
    if ([...next.values()].includes(false)) this.#loop?.pollIn(WITHHELD_MS)
  }
}
