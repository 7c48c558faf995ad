import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'
import { formatCount } from '../terminal/number-format.ts'
import { type FeedEvent, type FeedOptions, followEvents } from './webhook-feed.ts'
import { type ForwardTarget, forwardEvent } from './webhook-forwarding.ts'

/** Output of lines: events apart from messages about them. */
export interface ListeningOutput {
  /** Resolves when there is room for more, or when the signal fires. */
  print: (line: string, signal: AbortSignal) => Promise<void>
  say: (line: string) => void
}

export interface ListeningOptions
  extends Pick<FeedOptions, 'path' | 'eventTypes' | 'after' | 'timing'> {
  /** Name of the source of the events. */
  what: string
  isJson: boolean
  /** Ends after this number of events; never without it. */
  limit?: number
  target?: ForwardTarget
}

/** Prints the events of an environment as they happen, and forwards them one after another. */
export class Listening {
  readonly #connection: Connection
  readonly #options: ListeningOptions
  readonly #output: ListeningOutput
  #seen = 0
  #forwarded = 0
  #failed = 0
  /** Position of the last handled event, or of the start. */
  #position: string | undefined

  constructor(connection: Connection, options: ListeningOptions, output: ListeningOutput) {
    this.#connection = connection
    this.#options = options
    this.#output = output
    this.#position = options.after
  }

  /**
   * Runs until the limit is reached or the signal fires.
   * @throws its reason, or an error that a retry cannot mend
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
        const begin = connections++ === 0 ? `Listening to ${this.#options.what}` : 'Reconnected'
        say(`${begin}, after position ${position}.`)
      },
      onCut: ({ message }) => {
        // Retries never end, so the same line is printed once.
        if (message !== trouble) say(`${message} Retrying.`)
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

  /** Returns the counts so far, and the option that continues from here. */
  summarize(): string {
    const events = `${formatCount(this.#seen)} ${this.#seen === 1 ? 'event' : 'events'}`
    const came = `${formatCount(this.#forwarded)} forwarded, ${formatCount(this.#failed)} failed`
    const counts = this.#options.target === undefined ? events : `${events}: ${came}`
    const advice = this.#position === undefined ? '' : ` Continue with --after ${this.#position}.`
    return `Stopped after ${counts}.${advice}`
  }
}

const TYPE_COLUMNS = 36
const ID_COLUMNS = 36

/** Formats time, type, user and id; nothing of the payload, which is about a person. */
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
    throw new CliError(`The body of ${id} is not JSON.`)
  }
}
