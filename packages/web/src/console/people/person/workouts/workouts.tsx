import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { Section } from '../../../components/page.tsx'
import { formatDistance, useUnits } from '../../../components/units.ts'
import { Waiting } from '../../../components/waiting.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { formatClock, formatDay, formatDuration, toLocal } from '../local-time.ts'
import { type Period, usePeriod } from '../use-period.ts'
import { WorkoutDetail } from './workout-detail.tsx'
import { secondsOf, type Workout } from './workout-facts.ts'
import './workouts.css'

/** Lists the workouts of the visible days, and shows one of them with route and measurements. */
export function Workouts({ userId }: { userId: string }): ReactNode {
  const period = usePeriod(userId, ['sleep', 'workouts'], '14')
  const workouts = useWorkouts(userId, period)
  const [{ workout: chosenId }, change] = useViewState({ workout: '' })
  const isChosen = ({ id, merged }: Workout): boolean =>
    id === chosenId || merged.set_aside.some((one) => one.id === chosenId)
  const chosen = workouts.data?.find(isChosen) ?? workouts.data?.[0]
  return (
    <Section
      title="Workouts"
      description="Workouts of the same days, each once. Times are local to the person."
    >
      {workouts.error !== null && (
        <Failure error={workouts.error} onRetry={() => workouts.refetch()} />
      )}
      {workouts.isPending && <Waiting label="Loading workouts" lines={5} />}
      {workouts.data?.length === 0 && (
        <EmptyState title="No workouts in these days.">
          Choose other days above, or connect a watch, bicycle computer or training app.
        </EmptyState>
      )}
      {chosen !== undefined && (
        <div className="workouts" aria-busy={workouts.isPlaceholderData}>
          <Averages workouts={workouts.data ?? []} days={period.days} />
          <WorkoutDetail key={chosen.id} workout={chosen} />
          <ol className="workout-list">
            {workouts.data?.map((workout) => (
              <li key={workout.id}>
                <button
                  type="button"
                  className="workout"
                  aria-pressed={workout === chosen}
                  onClick={() => change({ workout: workout.id })}
                >
                  <WorkoutRow workout={workout} />
                </button>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Section>
  )
}

/** Sums of the visible days, and means a week. */
function Averages({ workouts, days }: { workouts: Workout[]; days: number }): ReactNode {
  const units = useUnits()
  const seconds = workouts.reduce((sum, workout) => sum + secondsOf(workout), 0)
  const meters = workouts.reduce((sum, { distance }) => sum + (distance ?? 0), 0)
  const aWeek = 7 / days
  return (
    <p className="quiet workout-averages">
      {formatQuantity(workouts.length, 'workout')}, {formatDuration(seconds)}
      {meters > 0 && `, ${formatDistance(meters, units)}`}. A week:{' '}
      {formatDuration(seconds * aWeek)}
      {meters > 0 && `, ${formatDistance(meters * aWeek, units)}`}.
    </p>
  )
}

function WorkoutRow({ workout }: { workout: Workout }): ReactNode {
  const units = useUnits()
  const start = toLocal(workout.time_start, workout.timezone_offset)
  return (
    <>
      <span>
        {formatDay(workout.calendar_date)}, {formatClock(start)}
      </span>
      <strong>{workout.title ?? workout.sport.name}</strong>
      <span>{formatDuration(secondsOf(workout))}</span>
      <span>{workout.distance ? formatDistance(workout.distance, units) : ''}</span>
      <span>{workout.average_hr === null ? '' : `${workout.average_hr} bpm`}</span>
      <span className="quiet">{workout.source.name}</span>
    </>
  )
}

function useWorkouts(userId: string, { start, end }: Period) {
  const { key, team } = useEnvironment()
  return useQuery({
    queryKey: [...key, 'person', userId, 'workouts', start, end],
    queryFn: async ({ signal }) => {
      const params = { path: { user_id: userId }, query: { start_date: start, end_date: end } }
      const { workouts } = await unwrapResponse(
        team.GET('/v2/summary/workouts/{user_id}/merged', { params, signal }),
      )
      return workouts.toSorted(
        (one, other) =>
          other.time_start.localeCompare(one.time_start) ||
          one.source.name.localeCompare(other.source.name),
      )
    },
    placeholderData: keepPreviousData,
  })
}
