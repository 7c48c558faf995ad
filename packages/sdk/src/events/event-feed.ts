import { AdminEvents } from '../api/resources.generated.ts'
import type { FollowEventsQuery } from '../api/types.generated.ts'
import { ApiError, SalusError } from '../client/errors.ts'
import type { AdminOptions } from '../client/request-options.ts'
import { pause } from '../client/retries.ts'
import type { SalusEvent } from '../event.ts'
import { readServerSentEvents } from './server-sent-events.ts'

/** An event of the feed. */
export interface FeedEvent {
  /** Id of the event, as webhooks carry it in `webhook-id`. */
  id: string
  created_at: string
  event: SalusEvent
  /** Position to continue after this event: `follow({ after: position })`. */
  position: string
}

/** Longest wait between two attempts to reconnect. */
const LONGEST_PAUSE_MS = 30_000

/**
 * Events of an environment with a management key: the methods of AdminEvents, and a stream of new
 * events.
 */
export class EventFeed extends AdminEvents {
  /**
   * Yields events as they happen, without end; with `follow: false` until the newest. A broken
   * connection is reopened at its position, so that every event is yielded exactly once.
   */
  async *follow(
    query: FollowEventsQuery = {},
    options: AdminOptions = {},
  ): AsyncGenerator<FeedEvent, void, undefined> {
    let after = query.after
    let failures = 0
    for (;;) {
      try {
        const { body } = await this.openStream({ ...query, ...(after && { after }) }, options)
        for await (const { id, event, data } of readServerSentEvents(body as ReadableStream)) {
          failures = 0
          if (event === 'message' && id !== undefined) yield toFeedEvent(id, data)
          after = id ?? after
        }
        if (query.follow === false) return
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason
        if (!isPassing(error)) throw error
      }
      await pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures++), options.signal)
    }
  }
}

function toFeedEvent(position: string, data: string): FeedEvent {
  const { id, created_at, body } = JSON.parse(data) as Record<'id' | 'created_at' | 'body', string>
  return { id, created_at, event: JSON.parse(body) as SalusEvent, position }
}

/** A stream that broke throws no SalusError, because its body was being read. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429
  return error instanceof SalusError || (error instanceof TypeError && !isMisuse(error))
}

/** Returns whether the error is a missing credential or id. */
const isMisuse = ({ message }: TypeError): boolean => message.startsWith('Give ')
