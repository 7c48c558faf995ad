import type { ServerResponse } from 'node:http'
import { unpackBody } from '@salus/kernel/events/event-body'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { matchesFilter } from '../endpoints/filter-types.ts'
import type { EventWatch } from './event-watch.ts'
import { type FeedEvent, type FeedPosition, hasEventsAfter } from './feed.repository.ts'

/** Events of a stream, and its duration. */
export interface FeedSubscription {
  watch: EventWatch
  /** Event types, exact or with a trailing star; empty means all. */
  eventTypes: readonly string[]
  /** Position of the last event that the reader has. */
  after: FeedPosition
  /** Otherwise the stream ends with the newest event. */
  isFollowed: boolean
  /** Ends the stream. */
  signal: AbortSignal
  /** False ends the stream too. */
  isAllowed: () => Promise<boolean>
}

const EVENTS_AT_ONCE = 100
/** A reader gets the position of the stream at least this often, also without events. */
const ALIVE_MS = 10_000
const RECONNECT_AFTER_MS = 1_000

/**
 * Writes events as server-sent events until the reader disconnects or the signal aborts. Each has
 * its position as id, so that a reader who continues from the last one misses nothing.
 */
export async function streamEvents(
  scope: Scope,
  response: ServerResponse,
  subscription: FeedSubscription,
): Promise<void> {
  const { watch, eventTypes, after, isFollowed, signal, isAllowed } = subscription
  const { id: environmentId } = scope.environment
  const writer = new EventWriter(response, after)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  // The reader may have disconnected while its position was looked up.
  if (response.destroyed) gone.abort()
  const over = AbortSignal.any([signal, gone.signal])
  const leave = watch.join()
  try {
    // A reader that is cut off before the first event still has a position.
    writer.writePosition('ready')
    while (!over.aborted && (await isAllowed())) {
      const countBefore = watch.notificationCount
      const events = await watch.read(environmentId, writer.position, EVENTS_AT_ONCE)
      for (const event of events) {
        if (over.aborted) return
        await writer.passEvent(event, matchesFilter(eventTypes, event.event_type), over)
      }
      if (events.length === EVENTS_AT_ONCE) continue
      if (!isFollowed && !(await hasEventsAfter(scope, writer.position))) return
      const wait = { countBefore, mostMs: ALIVE_MS, signal: over }
      do {
        if (writer.silentMs >= ALIVE_MS) writer.writePosition('alive')
        if (await watch.untilEvents(environmentId, writer.position, wait)) break
        wait.countBefore = watch.notificationCount
      } while (!over.aborted && (await isAllowed()))
    }
  } catch (error) {
    // The answer has begun, so the reader is cut off, and continues from its last id.
    scope.log.warn({ err: error }, 'an event stream broke')
    response.destroy()
  } finally {
    leave()
    // A reader that does not read must not keep a closing server waiting.
    if (signal.aborted && response.writableLength > 0) response.destroy()
    else response.end()
  }
}

/** The written side of one stream. */
class EventWriter {
  readonly #response: ServerResponse
  #position: FeedPosition
  #wroteAtMs = performance.now()

  constructor(response: ServerResponse, position: FeedPosition) {
    this.#response = response
    this.#position = position
  }

  /** Position of the last event, written or not. */
  get position(): FeedPosition {
    return this.#position
  }

  get silentMs(): number {
    return performance.now() - this.#wroteAtMs
  }

  /** Writes the position of the stream without an event. */
  writePosition(name: 'ready' | 'alive'): void {
    const retry = name === 'ready' ? `retry: ${RECONNECT_AFTER_MS}\n` : ''
    this.#write(`${retry}id: ${this.#id}\nevent: ${name}\ndata: {}\n\n`)
  }

  /** Passes an event and writes it if it is wanted; waits for a slow reader. */
  async passEvent(event: FeedEvent, isWanted: boolean, over: AbortSignal): Promise<void> {
    this.#position = { transactionId: event.transaction_id, sequence: event.sequence }
    if (!isWanted) return
    const data = JSON.stringify({
      id: event.id,
      event_type: event.event_type,
      created_at: formatInstant(event.created_at),
      // The text itself, because the signature covers it.
      body: unpackBody(event.body).toString('utf8'),
    })
    const hasRoom = this.#write(`id: ${this.#id}\nevent: message\ndata: ${data}\n\n`)
    if (!hasRoom) await drained(this.#response, over)
  }

  get #id(): string {
    return `${this.#position.transactionId}-${this.#position.sequence}`
  }

  #write(text: string): boolean {
    this.#wroteAtMs = performance.now()
    return this.#response.write(text)
  }
}

/** Waits until there is space again, or the stream is over. */
function drained(response: ServerResponse, over: AbortSignal): Promise<void> {
  if (over.aborted) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => {
    response.off('drain', end)
    over.removeEventListener('abort', end)
    resolve()
  }
  response.on('drain', end)
  over.addEventListener('abort', end)
  return promise
}
