import type { SummaryRow } from '../summary.ts'
import type { PresenterContext } from '../summary-presenters.ts'
import { presentSummary } from '../summary-presenters.ts'
import type { Workout } from '../workout/workout.schema.ts'

/**
 * Returns the data of an event about a stream: its route, and its workout
 * (docs/contract/08-webhooks-and-events.md#shallowworkoutstream).
 */
export function toWorkoutStreamNotice(row: SummaryRow<'workouts'>, context: PresenterContext) {
  const { sport, source, provider_id } = presentSummary('workouts', row, context) as Workout
  return {
    user_id: context.userId,
    workout_id: row.id,
    provider_id,
    message: `Read the stream from GET /v2/timeseries/workouts/${row.id}/stream.`,
    source,
    sport,
  }
}
