import { Batcher } from '../batching/batcher.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import type { ChainKey } from './audit-chain.ts'
import { getAuditKey } from './audit-keys.global.repository.ts'
import {
  appendEntries,
  type KnownHeads,
  listPendingBefore,
  type NewAuditEntry,
} from './audit-log.global.repository.ts'

export interface AuditLogOptions {
  db: Db
  clock: Clock
  log: Logger
  /** Opens the key of the chain; null for a chain without a key, as in a test of it. */
  secrets: SecretBox | null
  /** Time that queued entries wait for others. */
  lingerMs?: number
  /** Maximum number of queued entries of a process. */
  mostQueued?: number
}

const LINGER_MS = 200
const MOST_QUEUED = 10_000
/** Number of rows of one insert. */
const MOST_AT_ONCE = 1_000
/** Number of environments whose ends of chains a process knows, about 20 MB. */
const MOST_HEADS = 100_000
/** A row that is pending for longer was left by a process that ended before it answered. */
const LEFT_OVER_MS = 60_000

/**
 * The log of one process. It adds the entries of many requests to the chains with one commit:
 * entries with a waiting caller at once, queued entries within a fifth of a second. A process that
 * is killed loses what it queued in that time, except what is pending, and nothing that a caller
 * waited for.
 */
export class AuditLog {
  readonly #options: Required<AuditLogOptions>
  readonly #batcher: Batcher<NewAuditEntry, undefined>
  #queued = 0
  #isFailing = false
  #recoverAt = 0
  /** Ends of chains after the last write of this process; another process may have added rows. */
  #heads: KnownHeads = new Map()
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

  /**
   * Appends the entry, which is durable when this returns.
   * @throws Error when it cannot be written
   */
  async append(entry: NewAuditEntry): Promise<void> {
    await this.#batcher.add([{ work: entry, size: 1 }])
  }

  /**
   * Queues the entry to be written soon with others, and tries until it is. Waits, like append,
   * only while the log is far behind, as when its database does not answer.
   */
  enqueue(entry: NewAuditEntry): Promise<void> | undefined {
    if (this.#queued >= this.#options.mostQueued) return this.append(entry)
    this.#queued += 1
    this.#linger(entry)
    return undefined
  }

  /** Writes the queued entries, or tries again. */
  flush(): Promise<void> {
    return this.#batcher.idle()
  }

  #linger(entry: NewAuditEntry): void {
    this.#batcher.addLingering({ work: entry, size: 1 }).then(
      () => {
        this.#queued -= 1
      },
      // It may have been written: writing it twice is better than losing it.
      () => this.#linger(entry),
    )
  }

  async #write(entries: readonly NewAuditEntry[]): Promise<undefined[]> {
    const { db, log } = this.#options
    const heads = this.#heads.size < MOST_HEADS ? this.#heads : new Map()
    // After a failure the ends of the chains are unknown.
    this.#heads = new Map()
    try {
      const leftOver = await this.#listLeftOver()
      const key = await this.#getKey()
      await appendEntries(db, [...leftOver, ...entries], { key, heads })
      this.#heads = heads
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

  /** Lists left-over rows once in a while, together with a write that happens anyway. */
  async #listLeftOver(): Promise<NewAuditEntry[]> {
    const { db, clock } = this.#options
    const now = clock.now().getTime()
    if (now < this.#recoverAt) return []
    this.#recoverAt = now + LEFT_OVER_MS
    return listPendingBefore(db, new Date(now - LEFT_OVER_MS))
  }
}
