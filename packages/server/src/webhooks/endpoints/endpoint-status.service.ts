import { HOUR_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { EndpointFigures } from '../delivery/delivery-figures.global.repository.ts'
import { DISABLED_AFTER_MS } from '../delivery/endpoint-health.ts'
import { measureEndpoints } from '../history/all-attempts.ts'
import type { WebhookStatus, WebhookStatusList } from '../webhooks.schema.ts'

/** Returns the backlog and the recent success of each endpoint; the oldest endpoint first. */
export async function listEndpointStatus(scope: Scope, hours: number): Promise<WebhookStatusList> {
  const since = new Date(scope.clock.now().getTime() - hours * HOUR_MS)
  const rows = await measureEndpoints(scope, { environmentId: scope.environment.id, since })
  return { since: formatInstant(since), data: rows.map(toStatus) }
}

const format = (at: Date | null): string | null => at && formatInstant(at)

function toStatus(row: EndpointFigures): WebhookStatus {
  const isEnabled = row.disabled_at === null
  const disabledAt = row.failing_since && row.failing_since.getTime() + DISABLED_AFTER_MS
  return {
    webhook_id: row.endpoint_id,
    pending: row.pending,
    oldest_pending_at: format(row.oldest_pending_at),
    retrying: row.retrying,
    next_retry_at: format(row.next_retry_at),
    succeeded: row.succeeded,
    failed: row.failed,
    last_attempt_at: format(row.last_attempt_at),
    failures: row.failures,
    last_failure_at: format(row.last_failure_at),
    failing_since: format(row.failing_since),
    disabled_at: format(row.disabled_at),
    will_be_disabled_at: isEnabled && disabledAt ? formatInstant(disabledAt) : null,
    duration_p50_ms: row.duration_p50,
    duration_p95_ms: row.duration_p95,
    lag_p50_ms: row.lag_p50,
    lag_p95_ms: row.lag_p95,
  }
}
