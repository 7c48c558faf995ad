import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import type { FastifyRequest } from 'fastify'
import { touchTeamKey } from '../keys/team-keys.repository.ts'

/** A busy key costs one statement per minute, and no other request waits for anything. */
const RECORDED_MS = 60_000
const MOST_REMEMBERED = 10_000

/** Times of the last use of keys, as this process has stored them. */
export class KeyUses {
  readonly #db: Db
  readonly #clock: Clock
  readonly #recorded = new Map<string, number>()

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /**
   * Stores the use, unless one was stored less than a minute ago. A failure is logged and refuses
   * no request.
   */
  async record(keyId: string, log: FastifyRequest['log']): Promise<void> {
    const at = this.#clock.now()
    const now = at.getTime()
    if (now < (this.#recorded.get(keyId) ?? 0) + RECORDED_MS) return
    if (this.#recorded.size >= MOST_REMEMBERED) this.#recorded.clear()
    this.#recorded.set(keyId, now)
    try {
      await touchTeamKey(this.#db, keyId, at, new Date(now - RECORDED_MS))
    } catch (error) {
      log.warn({ err: error }, 'the last use of a key could not be written')
    }
  }
}
