import type { ResourceStatisticsRow } from '../../connections/index.ts'
import type { SampleOwner } from '../../ingest/index.ts'
import type { AnnouncedResource } from '../summaries.events.ts'

/** Attempts to store something of resources, and how many objects they told as new. */
export class SummaryAttempts {
  readonly #rows = new Map<string, ResourceStatisticsRow>()
  readonly #at: Date

  constructor(at: Date) {
    this.#at = at
  }

  /** @param sent Objects told as new. */
  add({ environmentId, userId, provider }: SampleOwner, resource: AnnouncedResource, sent = 0) {
    const key = `${environmentId} ${userId} ${provider} ${resource}`
    const row = this.#rows.get(key) ?? {
      environment_id: environmentId,
      user_id: userId,
      provider,
      resource,
      last_attempt_at: this.#at,
      last_attempt_status: 'success',
      sent_count: 0,
    }
    row.sent_count += sent
    this.#rows.set(key, row)
  }

  /** One row a resource of a connection. */
  rows(): ResourceStatisticsRow[] {
    return [...this.#rows.values()]
  }
}
