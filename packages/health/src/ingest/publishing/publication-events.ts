import type { EventRow } from '@salus/kernel/events/outbox'
import type { ResourceStatisticsRow } from '../../connections/index.ts'
import type { SampleOwner } from '../sample.ts'

/**
 * Events of any number of callers on their way into the outbox, in order, and what counts with
 * them.
 */
export class PublicationEvents {
  /** Each is sent. */
  readonly plain: EventRow[] = []
  /** Of one key within seconds, only the last is sent. */
  readonly coalesced: { key: string; row: EventRow }[] = []
  /** Attempts to store something, one row a resource of a connection. */
  readonly attempts = new Map<string, ResourceStatisticsRow>()
  readonly #triedAt: Date

  /** @param triedAt When what the events tell of came. */
  constructor(triedAt: Date) {
    this.#triedAt = triedAt
  }

  /** @param sent Objects told as new. */
  countAttempt({ environmentId, userId, provider }: SampleOwner, resource: string, sent = 0): void {
    const key = `${environmentId} ${userId} ${provider} ${resource}`
    const row = this.attempts.get(key) ?? {
      environment_id: environmentId,
      user_id: userId,
      provider,
      resource,
      last_attempt_at: this.#triedAt,
      last_attempt_status: 'success',
      sent_count: 0,
    }
    row.sent_count += sent
    this.attempts.set(key, row)
  }
}
