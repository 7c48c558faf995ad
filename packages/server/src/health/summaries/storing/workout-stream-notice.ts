import type { ObjectContext } from '../objects/summary-objects.ts'
import { toSummaryObject } from '../objects/summary-objects.ts'
import type { Workout } from '../summaries.schema.ts'
import type { SummaryRow } from '../summary.ts'

/** What an event tells of a stream: where to read it, and of which workout it is (contract 08). */
export function toStreamNotice(row: SummaryRow<'workouts'>, context: ObjectContext) {
  const { sport, source, provider_id } = toSummaryObject('workouts', row, context) as Workout
  return {
    user_id: context.userId,
    workout_id: row.id,
    provider_id,
    message: `Read the stream from GET /v2/timeseries/workouts/${row.id}/stream.`,
    source,
    sport,
  }
}
