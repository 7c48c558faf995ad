import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { readInBatch } from '../../../charts/chart-batch.ts'
import { joinCharts } from '../../../charts/join-tiles.ts'
import { Failure } from '../../../components/failure.tsx'
import { pathOf } from '../workouts/stream-path.ts'
import type { Night } from './sleep-night.ts'

/** More cannot be distinguished on the width of a page. */
const POINTS = 200

/** The heart rate of the night, on the same time axis as its stages. */
export function NightHeartRate({ night, userId }: { night: Night; userId: string }): ReactNode {
  const environment = useEnvironment()
  const { bedtime_start: start, bedtime_stop: stop } = night.sleep
  const { data, error, refetch } = useQuery({
    queryKey: [...environment.key, 'person', userId, 'heart rate of night', start, stop],
    queryFn: ({ signal }) =>
      readInBatch(
        environment,
        userId,
        {
          ...{ resource: 'heartrate', by: 'merged', provider: '', points: POINTS },
          ...{ start_date: start, end_date: stop },
        },
        signal,
      ),
    staleTime: 60_000,
  })
  if (error !== null) return <Failure error={error} onRetry={refetch} />
  const buckets = data === undefined ? [] : (joinCharts([data])?.lines[0]?.buckets ?? [])
  if (data !== undefined && buckets.length < 2) return null
  const values = buckets.map(({ value }) => value)
  const [low, high] = [Math.round(Math.min(...values)), Math.round(Math.max(...values))]
  const [from, to] = [Date.parse(start) / 1000, Date.parse(stop) / 1000]
  // Both ends of the night are there, so that the axis is that of the stages.
  const times = [from, ...buckets.map(({ start: at }) => at), to]
  return (
    <div className="hypnogram night-heart-rate">
      <div className="hypnogram-levels" aria-hidden>
        <span>{buckets.length > 0 && `${high} bpm`}</span>
        <span>{buckets.length > 0 && low}</span>
      </div>
      <svg
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={`Heart rate of the night, from ${low} to ${high} bpm`}
      >
        {buckets.length > 0 && <path d={pathOf(times, [null, ...values, null])} />}
      </svg>
    </div>
  )
}
