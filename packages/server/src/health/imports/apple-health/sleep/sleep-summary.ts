import type { NewSummary, SleepSession } from '../../../summaries/index.ts'
import { instantName, makeSummary, statisticsOf } from '../apple-summary.ts'

/** Readings within a session. */
export interface SleepReadings {
  heartRates: number[]
  /** SDNN in milliseconds. */
  variabilities: number[]
  /** Breaths a minute. */
  respiratoryRates: number[]
  /** Degrees Celsius. */
  wristTemperatures: number[]
}

type Stage = SleepSession['stages'][number]['stage']

/** Codes of contract 06, section 5; sleep without a stage is unknown. */
const STAGE_CODES: Readonly<Record<Stage, number>> = {
  asleep: -1,
  deep: 1,
  light: 2,
  rem: 3,
  awake: 4,
}
const LONG_SLEEP_SECONDS = 3 * 3600

/** The summary of a session. @param modifiedAt When it counts as written, or null. */
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
  const rates = statisticsOf(readings.heartRates)
  const { sourceType, appId, timezoneOffset, timeZone } = session
  const isLong = (lastStageAt - firstStageAt) / 1000 >= LONG_SLEEP_SECONDS
  return makeSummary(
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
      type: isLong ? 'long_sleep' : 'short_sleep',
      duration_second: duration,
      stage_asleep_second: asleep,
      stage_awake_second: seconds.awake,
      stage_light_second: seconds.light,
      stage_rem_second: seconds.rem,
      stage_deep_second: seconds.deep,
      stage_unknown_second: seconds.asleep,
      latency_second: session.latencySeconds,
      efficiency: duration > 0 ? (100 * asleep) / duration : null,
      heart_rate_minimum: rates && Math.round(rates.minimum),
      heart_rate_mean: rates && Math.round(rates.mean),
      heart_rate_maximum: rates && Math.round(rates.maximum),
      hrv_mean_sdnn: statisticsOf(readings.variabilities)?.mean ?? null,
      respiratory_rate: statisticsOf(readings.respiratoryRates)?.mean ?? null,
      skin_temperature: statisticsOf(readings.wristTemperatures)?.mean ?? null,
      stage_start_offset_second: stages.map((segment) => offset(segment.startedAt)),
      stage_end_offset_second: stages.map((segment) => offset(segment.endedAt)),
      stage_type: stages.map(({ stage }) => STAGE_CODES[stage]),
    },
  )
}

/** Whole seconds that add up to the stages' own, since each begins where another one ends. */
function secondsByStage({ startedAt, stages }: SleepSession): Record<Stage, number> {
  const seconds = { asleep: 0, light: 0, deep: 0, rem: 0, awake: 0 }
  for (const segment of stages) {
    const from = Math.round((segment.startedAt - startedAt) / 1000)
    seconds[segment.stage] += Math.round((segment.endedAt - startedAt) / 1000) - from
  }
  return seconds
}

/** An export holds no sleep as such; this is what its records were made into. */
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
