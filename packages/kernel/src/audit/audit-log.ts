import { Batcher } from '../batching/batcher.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import type { ChainHead, ChainKey } from './audit-chain.ts'
import { getAuditKey } from './audit-keys.global.repository.ts'
import {
  appendEntries,
  listPendingBefore,
  type NewAuditEntry,
} from './audit-log.global.repository.ts'

export interface AuditLogOptions {
  db: Db
  clock: Clock
  log: Logger
  /** Opens the key of the chain; null for a chain without one, as in a test of it. */
  secrets: SecretBox | null
  /** How long queued entries wait for others. */
  lingerMs?: number
  /** Queued entries that a process holds at most. */
  mostQueued?: number
}

const LINGER_MS = 200
const MOST_QUEUED = 10_000
/** Rows of one insert. */
const MOST_AT_ONCE = 1_000
/** What is pending for so long was left by a process that ended before it answered. */
const LEFT_OVER_MS = 60_000

/**
 * The log of one process. Adds the entries of many requests to the chain with one commit: what is
 * waited for at once, and what is only queued within a fifth of a second. A process that is killed
 * loses what it had queued in that time, except what is pending, and nothing that was waited for.
 */
export class AuditLog {
  readonly #options: Required<AuditLogOptions>
  readonly #batcher: Batcher<NewAuditEntry, undefined>
  #queued = 0
  #isFailing = false
  #recoverAt = 0
  /** As this process left the chain; another one may have added to it. */
  #head: ChainHead | undefined
  /** Undefined until the first write. */
  #key: ChainKey | null | undefined

  constructor(options: AuditLogOptions) {
    this.#options = { lingerMs: LINGER_MS, mostQueued: MOST_QUEUED, ...options }
    this.#batcher = new Batcher({
      name: 'audit',
      waitMs: 0,
      lingerMs: this.#options.lingerMs,
      maxBatchSize: MOST_AT_ONCE,
      flush: (entries) => this.#write(entries),
    })
  }

  /** The entry is durable when this returns. @throws Error when it cannot be written */
  async append(entry: NewAuditEntry): Promise<void> {
    await this.#batcher.add([{ work: entry, size: 1 }])
  }

  /**
   * Has the entry written soon, with others, and tries until it is. Waits for that, like append,
   * only while the log is far behind, as when its database is away.
   */
  enqueue(entry: NewAuditEntry): Promise<void> | undefined {
    if (this.#queued >= this.#options.mostQueued) return this.append(entry)
    this.#queued += 1
    this.#linger(entry)
    return undefined
  }

  /** Writes what is queued, or tries it once more. */
  flush(): Promise<void> {
    return this.#batcher.idle()
  }

  #linger(entry: NewAuditEntry): void {
    this.#batcher.addLingering({ work: entry, size: 1 }).then(
      () => {
        this.#queued -= 1
      },
      // It may have been written: twice is better than never.
      () => this.#linger(entry),
    )
  }

  async #write(entries: readonly NewAuditEntry[]): Promise<undefined[]> {
    const { db, log } = this.#options
    const head = this.#head
    // Where the chain ends is not known after a failure.
    this.#head = undefined
    try {
      const leftOver = await this.#listLeftOver()
      const key = await this.#getKey()
      this.#head = await appendEntries(db, [...leftOver, ...entries], { key, after: head })
      this.#isFailing = false
      return entries.map(() => undefined)
    } catch (error) {
      if (!this.#isFailing) log.error({ err: error }, 'the audit log cannot be written')
      this.#isFailing = true
      throw error
    }
  }

  async #getKey(): Promise<ChainKey | null> {
    const { db, secrets, clock } = this.#options
    this.#key ??= secrets && (await getAuditKey(db, secrets, clock.now()))
    return this.#key
  }

  /** Looked for once in a while, together with what is to be written anyway. */
  async #listLeftOver(): Promise<NewAuditEntry[]> {
    const { db, clock } = this.#options
    const now = clock.now().getTime()
    if (now < this.#recoverAt) return []
    this.#recoverAt = now + LEFT_OVER_MS
    return listPendingBefore(db, new Date(now - LEFT_OVER_MS))
  }
}
