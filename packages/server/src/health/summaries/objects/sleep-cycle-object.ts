import { formatInstant } from '../../../platform/time/instants.ts'
import type { SleepCycle } from '../summaries.schema.ts'
import type { SummaryRow } from '../summary.ts'
import { sleepCycleId } from '../summary-id.ts'
import { flatSourceOf, type ObjectContext, provenanceOf, timeZoneOf } from './object-context.ts'

/** The stages of a sleep (contract 06, section 5), or null when it has none. */
export function toSleepCycle(row: SummaryRow<'sleep'>, context: ObjectContext): SleepCycle | null {
  if (row.stage_type.length === 0) return null
  return {
    id: sleepCycleId(row.id),
    sleep_id: row.id,
    user_id: context.userId,
    session_start: formatInstant(row.started_at),
    session_end: formatInstant(row.ended_at),
    stage_start_offset_second: [...row.stage_start_offset_second],
    stage_end_offset_second: [...row.stage_end_offset_second],
    stage_type: [...row.stage_type],
    time_zone: timeZoneOf(row, context),
    ...flatSourceOf(row, context),
    ...provenanceOf(row, context),
  }
}
