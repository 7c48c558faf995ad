import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { AuditEntry } from './audit-chain.ts'
import { appendEntries } from './audit-log.repository.ts'

/** The log of one process. */
export interface AuditLog {
  /** The entry is durable when this returns. @throws Error when it cannot be written */
  append(entry: AuditEntry): Promise<void>
  /**
   * Has the entry written soon, with others. Waits for that, like append, only while the log is far behind,
   * as when its database is away.
   */
  note(entry: AuditEntry): Promise<void> | undefined
  /** Writes what is noted. */
  flush(): Promise<void>
}

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
 * Writes entries of many requests with one commit: what is waited for at once, together with what came while
 * the last ones were written, and what is only noted within a fifth of a second. A process that is killed
 * loses what it had noted in that time, and nothing that was waited for.
 */
export function openAuditLog(options: AuditLogOptions): AuditLog {
  const { db, log, noteMs = NOTE_MS, mostNoted = MOST_NOTED } = options
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  function writeSoon(ms: number): void {
    timer ??= setTimeout(write, ms).unref()
  }

  function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing ??= writeAll().finally(() => {
      writing = undefined
    })
    return writing
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_AT_ONCE)
      waiting = waiting.slice(MOST_AT_ONCE)
      try {
        await appendEntries(
          db,
          batch.map(({ entry }) => entry),
        )
        for (const { settle } of batch) settle?.resolve()
      } catch (error) {
        for (const { settle } of batch) settle?.reject(error)
        log.error({ err: error, entries: batch.length }, 'the audit log cannot be written')
        // It may have been written after all, when only the answer was lost: twice is better than never.
        waiting = [...batch.filter(({ settle }) => settle === undefined), ...waiting]
        if (waiting.some(({ settle }) => settle !== undefined)) continue
        if (waiting.length > 0) writeSoon(RETRY_MS)
        return
      }
    }
  }

  function append(entry: AuditEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ entry, settle: { resolve, reject } })
      void write()
    })
  }

  return {
    append,
    note(entry) {
      if (waiting.length >= mostNoted) return append(entry)
      waiting.push({ entry })
      if (writing === undefined) writeSoon(noteMs)
      return undefined
    },
    async flush() {
      await writing
      await write()
    },
  }
}
