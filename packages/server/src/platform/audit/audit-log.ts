import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { AuditEntry } from './audit-chain.ts'
import { appendEntries } from './audit-log.global.repository.ts'

export interface AuditLogOptions {
  db: Db
  log: Logger
  /** How long noted entries wait for others. */
  noteMs?: number
  /** Noted entries that a process holds at most. */
  mostNoted?: number
}

const NOTE_MS = 200
const MOST_NOTED = 10_000
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
 * together with what came while the last ones were written, and what is only noted within a fifth of a
 * second. A process that is killed loses what it had noted in that time, and nothing that was waited for.
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
  note(entry: AuditEntry): Promise<void> | undefined {
    const { noteMs = NOTE_MS, mostNoted = MOST_NOTED } = this.#options
    if (this.#waiting.length >= mostNoted) return this.append(entry)
    this.#waiting.push({ entry })
    if (this.#writing === undefined) this.#writeIn(noteMs)
    return undefined
  }

  /** Writes what is noted. */
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
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #writeAll(): Promise<void> {
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
        return
      }
    }
  }

  /** Keeps what is only noted for later, also what may have been written: twice is better than never. */
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
