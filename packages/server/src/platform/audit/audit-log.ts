import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { AuditEntry } from './audit-chain.ts'
import { appendEntries } from './audit-log.global.repository.ts'

export interface AuditLogOptions {
  db: Db
  log: Logger
  /** How long queued entries wait for others. */
  lingerMs?: number
  /** Queued entries that a process holds at most. */
  mostQueued?: number
}

const LINGER_MS = 200
const MOST_QUEUED = 10_000
const RETRY_MS = 1_000
/** Rows of one insert. */
const MOST_AT_ONCE = 1_000

interface Waiting {
  entry: AuditEntry
  /** Of an entry that somebody waits for; the others are tried until they are written. */
  settle?: { resolve: () => void; reject: (error: unknown) => void }
}

/**
 * The log of one process. Writes entries of many requests with one commit: what is waited for at once,
 * together with what came while the last ones were written, and what is only queued within a fifth of a
 * second. A process that is killed loses what it had queued in that time, and nothing that was waited for.
 */
export class AuditLog {
  readonly #options: AuditLogOptions
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  constructor(options: AuditLogOptions) {
    this.#options = options
  }

  /** The entry is durable when this returns. @throws Error when it cannot be written */
  append(entry: AuditEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, settle: { resolve, reject } })
      void this.#write()
    })
  }

  /**
   * Has the entry written soon, with others. Waits for that, like append, only while the log is far behind,
   * as when its database is away.
   */
  enqueue(entry: AuditEntry): Promise<void> | undefined {
    const { lingerMs = LINGER_MS, mostQueued = MOST_QUEUED } = this.#options
    if (this.#waiting.length >= mostQueued) return this.append(entry)
    this.#waiting.push({ entry })
    this.#writeIn(lingerMs)
    return undefined
  }

  /** Writes what is queued. */
  async flush(): Promise<void> {
    await this.#writing
    await this.#write()
  }

  #writeIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.#write(), milliseconds).unref()
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length > 0) this.#writing ??= this.#writeAll()
    return this.#writing ?? Promise.resolve()
  }

  async #writeAll(): Promise<void> {
    // What comes in the same moment shares the first commit.
    await undefined
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_AT_ONCE)
      try {
        await appendEntries(
          this.#options.db,
          batch.map(({ entry }) => entry),
        )
        for (const { settle } of batch) settle?.resolve()
      } catch (error) {
        this.#fail([...batch, ...this.#waiting], error)
        break
      }
    }
    // In the same step as the last look for more, so that nothing comes between unseen.
    this.#writing = undefined
  }

  /** Keeps what is only queued, also what may have been written: twice is better than never. */
  #fail(batch: readonly Waiting[], error: unknown): void {
    this.#options.log.error(
      { err: error, entries: batch.length },
      'the audit log cannot be written',
    )
    this.#waiting = batch.filter(({ settle }) => settle === undefined)
    for (const { settle } of batch) settle?.reject(error)
    if (this.#waiting.length > 0) this.#writeIn(RETRY_MS)
  }
}
