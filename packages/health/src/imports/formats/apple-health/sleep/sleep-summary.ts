import {
  measureSleep,
  type NewSummary,
  newSummary,
  type SleepReadings,
  type SleepSession,
  sleepTypeOf,
} from '../../../../summaries/index.ts'
import { instantName } from '../apple-dates.ts'

type Stage = SleepSession['stages'][number]['stage']

/** Codes of docs/contract/06-summaries.md#sleep-cycle; sleep without a stage is unknown. */
const STAGE_CODES: Readonly<Record<Stage, number>> = {
  asleep: -1,
  deep: 1,
  light: 2,
  rem: 3,
  awake: 4,
}

/** Returns the summary of a session. @param modifiedAt Its time of writing, or null. */
export function toSleepSummary(
  session: SleepSession,
  readings: SleepReadings,
  modifiedAt: number | null,
): NewSummary<'sleep'> {
  const { startedAt, endedAt, stages, firstStageAt, lastStageAt } = session
  const offset = (at: number): number => Math.round((at - startedAt) / 1000)
  const duration = offset(endedAt)
  const seconds = secondsByStage(session)
  const asleep = seconds.deep + seconds.light + seconds.rem + seconds.asleep
  const { sourceType, appId, timezoneOffset, timeZone } = session
  return newSummary(
    'sleep',
    {
      recordId: instantName(startedAt),
      sourceType,
      appId,
      startedAt,
      endedAt,
      timezoneOffset,
      timeZone,
      modifiedAt,
      raw: toRaw(session),
    },
    {
      type: sleepTypeOf((lastStageAt - firstStageAt) / 1000),
      duration_second: duration,
      stage_asleep_second: asleep,
      stage_awake_second: seconds.awake,
      stage_light_second: seconds.light,
      stage_rem_second: seconds.rem,
      stage_deep_second: seconds.deep,
      stage_unknown_second: seconds.asleep,
      latency_second: session.latencySeconds,
      efficiency: duration > 0 ? (100 * asleep) / duration : null,
      ...measureSleep(readings, { startedAt: firstStageAt, endedAt: lastStageAt }),
      stage_start_offset_second: stages.map((segment) => offset(segment.startedAt)),
      stage_end_offset_second: stages.map((segment) => offset(segment.endedAt)),
      stage_type: stages.map(({ stage }) => STAGE_CODES[stage]),
    },
  )
}

/** Returns whole seconds with the total of the stages, since each begins where another one ends. */
function secondsByStage({ startedAt, stages }: SleepSession): Record<Stage, number> {
  const seconds = { asleep: 0, light: 0, deep: 0, rem: 0, awake: 0 }
  for (const segment of stages) {
    const from = Math.round((segment.startedAt - startedAt) / 1000)
    seconds[segment.stage] += Math.round((segment.endedAt - startedAt) / 1000) - from
  }
  return seconds
}

/** Returns what the records were combined into, because an export has no sleeps as such. */
function toRaw({ startedAt, endedAt, stages }: SleepSession): unknown {
  return {
    startDate: instantName(startedAt),
    endDate: instantName(endedAt),
    stages: stages.map((segment) => ({
      stage: segment.stage,
      startDate: instantName(segment.startedAt),
      endDate: instantName(segment.endedAt),
    })),
  }
}
