import { formatInstant } from '@salus/kernel/time/instants'
import {
  deprecatedDateOf,
  flatSourceOf,
  type PresenterContext,
  provenanceOf,
  startOffsetOf,
  timeZoneOf,
} from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import { sleepCycleId } from '../summary-id.ts'
import type { Sleep, SleepCycle } from './sleep.schema.ts'
import { sleepTypeOf } from './sleep-readings.ts'

/**
 * Returns the seconds of a sleep, all non-null, by the rules of
 * docs/contract/06-summaries.md#sleep.
 */
function sleepSecondsOf(row: SummaryRow<'sleep'>) {
  const duration = row.duration_second ?? Math.round((row.ended_at - row.started_at) / 1000)
  const awake = row.stage_awake_second ?? 0
  const light = row.stage_light_second ?? 0
  const rem = row.stage_rem_second ?? 0
  const deep = row.stage_deep_second ?? 0
  // A provider without stages reports the time asleep, or the time awake.
  const asleep = light + rem + deep > 0 ? light + rem + deep : Math.max(0, duration - awake)
  return { duration, total: row.stage_asleep_second ?? asleep, awake, light, rem, deep }
}

/** Converts a sleep for answers and events (docs/contract/06-summaries.md#sleep). */
export function toSleep(row: SummaryRow<'sleep'>, context: PresenterContext): Sleep {
  const seconds = sleepSecondsOf(row)
  const { duration, total } = seconds
  const computed = duration > 0 ? (100 * total) / duration : null
  return {
    id: row.id,
    user_id: context.userId,
    date: deprecatedDateOf(row),
    calendar_date: row.calendar_date,
    bedtime_start: formatInstant(row.started_at),
    bedtime_stop: formatInstant(row.ended_at),
    type: (row.type as Sleep['type'] | null) ?? sleepTypeOf(duration),
    timezone_offset: row.timezone_offset,
    bedtime_start_offset: startOffsetOf(row, context),
    ...seconds,
    score: row.score,
    recovery_readiness_score: row.recovery_readiness_score,
    hr_lowest: row.heart_rate_minimum,
    hr_average: row.heart_rate_mean,
    hr_resting: row.heart_rate_resting,
    efficiency: row.efficiency ?? computed,
    latency: row.latency_second,
    temperature_delta: row.skin_temperature_delta,
    skin_temperature: row.skin_temperature,
    hr_dip: row.heart_rate_dip,
    state: row.state as Sleep['state'],
    average_hrv: row.hrv_mean_rmssd,
    respiratory_rate: row.respiratory_rate,
    sleep_stream: null,
    ...provenanceOf(row, context),
  }
}

/**
 * Converts the stages of a sleep (docs/contract/06-summaries.md#sleep-cycle); returns null when it
 * has none.
 */
export function toSleepCycle(
  row: SummaryRow<'sleep'>,
  context: PresenterContext,
): SleepCycle | null {
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
