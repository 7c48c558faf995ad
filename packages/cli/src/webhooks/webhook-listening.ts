import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { formatCount } from '../terminal/number-format.ts'
import { type FeedEvent, type FeedOptions, followEvents } from './webhook-feed.ts'
import { type ForwardTarget, forwardEvent } from './webhook-forwarding.ts'

/** Where the lines go: events apart from everything that is said about them. */
export interface ListeningOutput {
  /** Comes back when there is room for more, or when the signal fires. */
  print: (line: string, signal: AbortSignal) => Promise<void>
  say: (line: string) => void
}

export interface ListeningOptions
  extends Pick<FeedOptions, 'path' | 'eventTypes' | 'after' | 'timing'> {
  /** What is listened to, in words. */
  what: string
  isJson: boolean
  /** After so many events it ends; without it never. */
  limit?: number
  target?: ForwardTarget
}

/** Prints the events of an environment as they come, and forwards them one after another. */
export class Listening {
  readonly #connection: Connection
  readonly #options: ListeningOptions
  readonly #output: ListeningOutput
  #seen = 0
  #forwarded = 0
  #failed = 0
  /** Of the last event that was handled, or of where it began. */
  #position: string | undefined

  constructor(connection: Connection, options: ListeningOptions, output: ListeningOutput) {
    this.#connection = connection
    this.#options = options
    this.#output = output
    this.#position = options.after
  }

  /**
   * Goes on until the limit is reached or the signal fires.
   * @throws its reason, or an error that cannot be waited out
   */
  async run(signal: AbortSignal): Promise<void> {
    const { path, eventTypes, after, timing } = this.#options
    const { say } = this.#output
    let connections = 0
    let trouble = ''
    const events = followEvents(this.#connection, {
      path,
      eventTypes,
      after,
      signal,
      onConnected: (position) => {
        this.#position ??= position
        trouble = ''
        const begin = connections++ === 0 ? `Listening to ${this.#options.what}` : 'Connected again'
        say(`${begin}, after position ${position}.`)
      },
      onCut: ({ message }) => {
        // Tries go on for as long as it takes, and the same line each time would tell nothing.
        if (message !== trouble) say(`${message} Trying again.`)
        trouble = message
      },
      timing,
    })
    for await (const event of events) {
      await this.#handle(event, signal)
      this.#position = event.position
      if (this.#seen === this.#options.limit) return
    }
  }

  async #handle(event: FeedEvent, signal: AbortSignal): Promise<void> {
    const { isJson, target } = this.#options
    await this.#output.print(isJson ? formatJson(event) : formatLine(event), signal)
    this.#seen++
    if (target === undefined) return
    const isTaken = await forwardEvent(target, event, this.#output.say, signal)
    if (isTaken) this.#forwarded++
    else this.#failed++
  }

  /** What came of it so far, and how to go on. */
  summarize(): string {
    const events = `${formatCount(this.#seen)} ${this.#seen === 1 ? 'event' : 'events'}`
    const came = `${formatCount(this.#forwarded)} forwarded, ${formatCount(this.#failed)} failed`
    const counts = this.#options.target === undefined ? events : `${events}: ${came}`
    const advice = this.#position === undefined ? '' : ` Go on with --after ${this.#position}.`
    return `Stopped after ${counts}.${advice}`
  }
}

const TYPE_COLUMNS = 36
const ID_COLUMNS = 36

/** Time, type, user and id; nothing of what the event tells about the person. */
function formatLine(event: FeedEvent): string {
  const { user_id: userId = '–' } = parsePayload(event) as { user_id?: string }
  const type = event.event_type.padEnd(TYPE_COLUMNS)
  return [event.created_at, type, userId.padEnd(ID_COLUMNS), event.id].join('  ')
}

function formatJson(event: FeedEvent): string {
  const { position, id, event_type, created_at } = event
  return JSON.stringify({ position, id, event_type, created_at, payload: parsePayload(event) })
}

function parsePayload({ id, body }: FeedEvent): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // The error of the parser would quote the payload.
    throw new CliError(`The body of ${id} is no JSON.`)
  }
}
