import { DAY_SECONDS, HOUR_SECONDS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { countAttempts } from '../history/count-attempts.ts'
import type { AttemptHistogram, HistogramInterval } from '../webhooks.schema.ts'
import { getEndpoint } from './endpoints.service.ts'

/** Length and number of the intervals; days are those of UTC. */
const INTERVALS: Readonly<Record<HistogramInterval, { seconds: number; count: number }>> = {
  '1h': { seconds: HOUR_SECONDS, count: 24 },
  '1d': { seconds: DAY_SECONDS, count: 30 },
}

/**
 * Returns the attempts at an endpoint by interval, the oldest first, up to the present one.
 * @throws AppError 404 for an unknown endpoint
 */
export async function getAttemptHistogram(
  scope: Scope,
  endpointId: string,
  interval: HistogramInterval,
): Promise<AttemptHistogram> {
  await getEndpoint(scope, endpointId)
  const { seconds, count } = INTERVALS[interval]
  const last = Math.floor(scope.clock.now().getTime() / 1000 / seconds) * seconds
  const first = last - (count - 1) * seconds
  const since = new Date(first * 1000)
  const counts = await countAttempts(scope, { endpointId, since, intervalSeconds: seconds })
  const byStart = new Map(counts.map((row) => [row.from_second, row]))
  return {
    interval,
    data: Array.from({ length: count }, (_, index) => {
      const from = first + index * seconds
      const { succeeded = 0, failed = 0 } = byStart.get(from) ?? {}
      return { from: formatInstant(from * 1000), succeeded, failed }
    }),
  }
}
