import { createHash, type Hash } from 'node:crypto'
import { serialize } from 'node:v8'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { ArrivedData } from '../../ingest/index.ts'
import { keyOf, type PullTaskRow, type TaskSubject } from '../pull-tasks.global.repository.ts'

/** Tasks whose last data a process remembers: some 200 bytes each. */
const MOST_TASKS = 50_000
/** Then the data are stored again, whatever they are. */
const LIFETIME_MS = 6 * HOUR_MS
/** A poll with more is rare, and stored again. */
const MOST_SAMPLES = 5_000

interface Remembered {
  digest: string
  /** Start of the poll that stored the data, or found them unchanged. */
  startedAt: number
  storedAt: number
}

/**
 * Recognizes polls that bring what the poll before brought: most do, since a poll requests some
 * hours again. Their data need not be compared with the store. A digest counts while the last
 * success of the task is the poll that it is of: another process, or a message, may have stored
 * something else since.
 */
export class UnchangedPolls {
  readonly #remembered = new Map<string, Remembered>()

  /** Begins a poll. */
  begin(task: PullTaskRow, subject: TaskSubject, startedAt: number): PollDigest {
    const known = this.#remembered.get(keyOf(task))
    const isLast = known !== undefined && task.succeeded_at?.getTime() === known.startedAt
    const isFresh = known !== undefined && startedAt - known.storedAt < LIFETIME_MS
    return new PollDigest(subject, task.account_id, isLast && isFresh ? known.digest : undefined)
  }

  /** Remembers the data of a poll that succeeded. */
  keep(task: PullTaskRow, poll: PollDigest, startedAt: number): void {
    const key = keyOf(task)
    const known = this.#remembered.get(key)
    this.#remembered.delete(key)
    if (poll.digest === undefined) return
    const storedAt = poll.isUnchanged ? (known?.storedAt ?? startedAt) : startedAt
    this.#remembered.set(key, { digest: poll.digest, startedAt, storedAt })
    const [oldest] = this.#remembered.keys()
    if (this.#remembered.size > MOST_TASKS && oldest !== undefined) this.#remembered.delete(oldest)
  }
}

/** The digest of the data of one poll. */
export class PollDigest {
  readonly #hash: Hash
  readonly #former: string | undefined
  #pieces = 0
  /** undefined for a poll without data, or with much. */
  digest: string | undefined

  constructor(subject: TaskSubject, accountId: string | null, former: string | undefined) {
    const { ingestion_start, ingestion_end, connection_updated_at } = subject
    const bounds = [accountId, ingestion_start, ingestion_end, connection_updated_at]
    this.#hash = createHash('sha256').update(JSON.stringify(bounds))
    this.#former = former
  }

  /** Whether the whole of the data is that of the poll before. */
  get isUnchanged(): boolean {
    return this.digest !== undefined && this.digest === this.#former
  }

  /** Returns whether data are all that the poll before brought, and need not be stored. */
  isKnown(data: ArrivedData): boolean {
    this.#pieces += 1
    const isSmall = (data.samples?.length ?? 0) <= MOST_SAMPLES && !data.streams?.size
    const isOnly = this.#pieces === 1 && isSmall
    this.digest = isOnly ? this.#hash.update(serialize(data)).digest('base64') : undefined
    return this.isUnchanged
  }
}
