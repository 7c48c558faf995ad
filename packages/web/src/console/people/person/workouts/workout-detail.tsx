import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Failure } from '../../../components/failure.tsx'
import { useUnits } from '../../../components/units.ts'
import { Waiting } from '../../../components/waiting.tsx'
import { formatClock, formatDay, formatDuration, formatOffset, toLocal } from '../local-time.ts'
import { SameRecords } from '../sources/same-records.tsx'
import { findRoute } from './route.ts'
import { RouteShape } from './route-shape.tsx'
import { StreamLines } from './stream-lines.tsx'
import type { Workout } from './workout-facts.ts'
import { factsOf, secondsOf } from './workout-facts.ts'

/**
 * Shows one workout in full: facts, heart rate zones, the shape of its route and its measurements.
 */
export function WorkoutDetail({ workout }: { workout: Workout }): ReactNode {
  const { key, team } = useEnvironment()
  const units = useUnits()
  const stream = useQuery({
    queryKey: [...key, 'workout', workout.id, 'stream'],
    queryFn: ({ signal }) => {
      const params = { path: { workout_id: workout.id } }
      return unwrapResponse(
        team.GET('/v2/timeseries/workouts/{workout_id}/stream', { params, signal }),
      )
    },
    staleTime: 300_000,
  })
  const { timezone_offset: offset } = workout
  const [start, end] = [workout.time_start, workout.time_end].map((at) =>
    formatClock(toLocal(at, offset)),
  )
  const route = findRoute(workout, stream.data)
  return (
    <article className="workout-detail">
      <header>
        <h3>{workout.title ?? workout.sport.name}</h3>
        <p className="quiet">
          {formatDay(workout.calendar_date)}, {start} – {end} ({formatOffset(offset)}), from{' '}
          {workout.source.name}
        </p>
      </header>
      <div className="workout-parts">
        <div>
          <dl className="fact-grid">
            {factsOf(workout, units).map(([title, value]) => (
              <div key={title}>
                <dt>{title}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {workout.hr_zones !== null && (
            <Zones seconds={workout.hr_zones} duration={secondsOf(workout)} />
          )}
        </div>
        {route !== undefined && <RouteShape route={route} />}
      </div>
      <SameRecords resource="workouts" session={workout} />
      {stream.isPending && <Waiting label="Loading measurements of the workout" lines={3} />}
      {stream.error !== null && <Failure error={stream.error} onRetry={() => stream.refetch()} />}
      {stream.data !== undefined && <StreamLines stream={stream.data} />}
    </article>
  )
}

const ZONES = ['below 50 %', '50–60 %', '60–70 %', '70–80 %', '80–90 %', 'above 90 %']

/** Below this part of the workout the zones are marked as incomplete. */
const LEAST_KNOWN = 0.95

/** Shows the time in each heart rate zone. */
function Zones({ seconds, duration }: { seconds: readonly number[]; duration: number }): ReactNode {
  const all = seconds.reduce((sum, zone) => sum + zone, 0)
  if (all === 0) return null
  return (
    <div className="zones">
      <h4>Time by heart rate, as a part of the highest</h4>
      <ul>
        {seconds.map((zone, index) => (
          <li key={ZONES[index]}>
            <span>{ZONES[index]}</span>
            <span
              className="zone-bar"
              data-zone={index}
              style={{ width: `${(zone / all) * 100}%` }}
            />
            <span>{formatDuration(zone)}</span>
          </li>
        ))}
      </ul>
      {all < LEAST_KNOWN * duration && (
        <p className="quiet">
          The heart rate is known for {formatDuration(all)} of {formatDuration(duration)}.
        </p>
      )}
    </div>
  )
}
