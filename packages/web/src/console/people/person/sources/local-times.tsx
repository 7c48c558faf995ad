import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { take } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Failure } from '../../../components/failure.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { formatOffset } from '../local-time.ts'
import { chartListQuery } from '../person-queries.ts'

/** All charts answer alike. */
const CHART =
  '/v2/timeseries/{user_id}/{resource}/chart' as unknown as '/v2/timeseries/{user_id}/steps/chart'
const YEAR_MS = 365 * 86_400_000

/** When the person's clock was set to another time, by a journey or by summer time. */
export function LocalTimes({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { key, team } = environment
  const { data: charts } = useSuspenseQuery(chartListQuery(environment, userId))
  // What reaches furthest back, and is recorded all day, tells most.
  const best = charts.toSorted((one, other) => one.oldest_data.localeCompare(other.oldest_data))[0]
  const times = useQuery({
    queryKey: [...key, 'person', userId, 'local times', best?.resource],
    queryFn: async ({ signal }) => {
      const end = Date.parse(best?.newest_data ?? '') + 60_000
      const start = Math.max(Date.parse(best?.oldest_data ?? ''), end - 2 * YEAR_MS)
      const query = {
        start_date: new Date(start).toISOString(),
        end_date: new Date(end).toISOString(),
        points: 1000,
      }
      const path = { user_id: userId, resource: best?.resource }
      const { local_times: found } = await take(
        team.GET(CHART, { params: { path, query }, signal }),
      )
      return found
    },
    enabled: best !== undefined,
  })
  return (
    <Section
      title="Time zones"
      description="What the person's clock was set to, as the data of the last two years say. Days are those of this clock."
    >
      {best === undefined && <p className="quiet local-times-none">No data say anything yet.</p>}
      {best !== undefined && times.isPending && <Waiting label="Loading time zones" lines={2} />}
      {times.error !== null && <Failure error={times.error} onRetry={() => times.refetch()} />}
      {times.data !== undefined && (
        <ol className="local-times">
          {times.data.toReversed().map((time, index, all) => (
            <li key={time.from}>
              <strong>{formatOffset(time.timezone_offset)}</strong>
              <span>
                {index === all.length - 1 ? 'at first, from ' : 'since '}
                <Instant at={time.from} />
              </span>
              {index < all.length - 1 && (
                <StatusBadge tone={time.is_journey ? 'info' : 'neutral'}>
                  {time.is_journey ? 'journey' : 'clock changed'}
                </StatusBadge>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
