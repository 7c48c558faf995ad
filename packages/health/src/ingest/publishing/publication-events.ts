import type { EventRow } from '@salus/kernel/events/outbox'
import type { ResourceStatisticsRow } from '../../connections/index.ts'
import type { SampleOwner } from '../sample.ts'

/** Events of any number of callers on their way into the outbox, in order, with their counts. */
export class PublicationEvents {
  /** Events that are all sent. */
  readonly plain: EventRow[] = []
  /** Events of which only the last of a key within seconds is sent. */
  readonly coalesced: { key: string; row: EventRow }[] = []
  /** Attempts to store something, one row for each resource of a connection. */
  readonly attempts = new Map<string, ResourceStatisticsRow>()
  readonly #triedAt: Date

  /** @param triedAt Time at which the data of the events were received. */
  constructor(triedAt: Date) {
    this.#triedAt = triedAt
  }

  /** @param sent Number of new objects in events. */
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
