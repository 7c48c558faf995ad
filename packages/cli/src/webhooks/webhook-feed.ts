import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { openManagementStream, type Query, toUnreachable } from '../connection/api-client.ts'
import { ApiError, ForeignAnswerError, UnreachableError } from '../connection/api-errors.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { pause } from '../terminal/interruption.ts'

/** An event of the feed. */
export interface FeedEvent {
  /** Its opaque position in the feed. */
  position: string
  id: string
  event_type: string
  created_at: string
  /** Exact text of the webhook message. */
  body: string
}

export interface FeedOptions {
  /** Path of the feed of an environment. */
  path: string
  eventTypes: readonly string[]
  /** Position after which events are wanted; without it only new ones. */
  after: string | undefined
  signal: AbortSignal
  /** Called for every connection, with the position after which it begins. */
  onConnected: (after: string) => void
  /** Called when the connection broke, or could not be opened again. */
  onCut: (error: CliError) => void
  timing?: FeedTiming
}

interface FeedTiming {
  /** The server sends a sign of life every 10 s. */
  mostSilenceMs: number
  leastWaitMs: number
  mostWaitMs: number
}

const TIMING: FeedTiming = { mostSilenceMs: 30_000, leastWaitMs: 1_000, mostWaitMs: 10_000 }
/** An event has at most 256 KiB; escaping can multiply that. */
const MOST_BUFFERED_CHARACTERS = 8 * 1024 * 1024

/**
 * Yields events until the signal fires, over as many connections as needed. Requesting the next
 * event confirms the one before; an event that is not confirmed is sent again after a reconnect.
 * @throws the error of the first connection, an error that another try cannot mend, or the reason
 * of the signal
 */
export async function* followEvents(
  connection: Connection,
  { path, eventTypes, after, signal, onConnected, onCut, timing = TIMING }: FeedOptions,
): AsyncGenerator<FeedEvent, never> {
  let position = after
  let wasConnected = false
  let waitMs = timing.leastWaitMs
  while (true) {
    const query = { after: position, event_type: eventTypes }
    try {
      for await (const message of readMessages(connection, path, query, signal, timing)) {
        if (message.event === 'ready') {
          position ??= readPosition(message)
          wasConnected = true
          waitMs = timing.leastWaitMs
          onConnected(position)
        } else if (message.event === 'alive') {
          // Events that are not for this reader move the position, too.
          position = readPosition(message)
        } else if (message.event === 'message') {
          const event = readEvent(message)
          yield event
          position = event.position
        }
      }
      throw new UnreachableError(`${connection.url} ended the connection.`)
    } catch (error) {
      signal.throwIfAborted()
      if (!wasConnected || !isPassing(error)) throw error
      onCut(error)
    }
    await pause(waitMs, signal)
    waitMs = Math.min(waitMs * 2, timing.mostWaitMs)
  }
}

/** Returns whether a retry may succeed. */
function isPassing(error: unknown): error is CliError {
  if (error instanceof UnreachableError || error instanceof ForeignAnswerError) return true
  return error instanceof ApiError && (error.status >= 500 || [408, 429].includes(error.status))
}

/** Yields the messages of one connection, which is closed when the caller stops reading. */
async function* readMessages(
  connection: Connection,
  path: string,
  query: Query,
  signal: AbortSignal,
  { mostSilenceMs }: FeedTiming,
): AsyncGenerator<EventSourceMessage, void> {
  const closing = new AbortController()
  // Limits only the wait for bytes: while a caller handles an event for long, none are read.
  const limit = async <T>(work: Promise<T>): Promise<T> => {
    const giveUp = () => closing.abort(new DOMException('No data were received.', 'TimeoutError'))
    const timer = setTimeout(giveUp, mostSilenceMs)
    return work.finally(() => clearTimeout(timer))
  }
  try {
    const either = AbortSignal.any([signal, closing.signal])
    const stream = await limit(openManagementStream(connection, path, query, either))
    const reader = stream.getReader()
    const parse = createMessageParser()
    while (true) {
      const { done, value } = await limit(reader.read()).catch((cause: unknown) => {
        throw toUnreachable(connection, cause)
      })
      if (done) return
      // All messages of a chunk are handled before the next is read, so memory does not grow.
      yield* parse(value)
    }
  } finally {
    closing.abort()
  }
}

/** Creates a parser that takes bytes, and returns the messages that they complete. */
function createMessageParser(): (bytes: Uint8Array) => EventSourceMessage[] {
  const decoder = new TextDecoder()
  const messages: EventSourceMessage[] = []
  const parser = createParser({
    maxBufferSize: MOST_BUFFERED_CHARACTERS,
    onEvent: (message) => messages.push(message),
    onError: (cause) => {
      if (cause.type !== 'max-buffer-size-exceeded') return
      throw new CliError('The server sent an event that is too large.', { cause })
    },
  })
  return (bytes) => {
    parser.feed(decoder.decode(bytes, { stream: true }))
    return messages.splice(0)
  }
}

function readPosition({ id }: EventSourceMessage): string {
  if (id) return id
  throw new CliError('The server sent an event without its position.')
}

function readEvent(message: EventSourceMessage): FeedEvent {
  const position = readPosition(message)
  try {
    const { id, event_type, created_at, body } = JSON.parse(message.data) as FeedEvent
    return { position, id, event_type, created_at, body }
  } catch (cause) {
    throw new CliError('The server sent an event that is not JSON.', { cause })
  }
}
