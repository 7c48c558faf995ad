import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { localMsSql, localSql } from './floating-sql.ts'
import { scalarColumn } from './query-source.ts'

/**
 * Macros of a sleep (docs/contract/09-aggregate.md#macros-and-readiness), over the columns of
 * `sleep_summaries`.
 */

const start = localSql('started_at')
const end = localSql('ended_at')

/** Stage types: deep, light and REM, and awake. */
const ASLEEP = '[1, 2, 3]'
const AWAKE = '4'

const midpoint = `started_at + toIntervalMillisecond(intDiv(
  toUnixTimestamp64Milli(ended_at) - toUnixTimestamp64Milli(started_at), 2))`
const midpointOfDay = `${localMsSql(`(${midpoint})`)} % ${DAY_MS}`
const timeOfDayMs = (hour: number, minute = 0): number => (hour * 60 + minute) * MINUTE_MS

const CHRONOTYPE = `multiIf(
  ${midpointOfDay} >= ${timeOfDayMs(17)} or ${midpointOfDay} <= ${timeOfDayMs(3, 30)}, 'lark',
  ${midpointOfDay} <= ${timeOfDayMs(6)}, 'third',
  'owl')`

const ASLEEP_AT = `${start} + toIntervalSecond(coalesce(latency_second, 0))`

const lastAsleep = `arrayLastIndex(stage -> stage != ${AWAKE}, stage_type)`
const AWAKE_AT = `if(${lastAsleep} = 0, ${end},
  ${start} + toIntervalSecond(stage_end_offset_second[${lastAsleep}]))`

const AWAKENINGS = `if(empty(stage_type), null, toInt64(arrayCount(
  (before, after) -> has(${ASLEEP}, before) and after = ${AWAKE},
  arrayPopBack(stage_type), arrayPopFront(stage_type))))`

const clamped = (part: string): string => `least(greatest(${part}, 0), 1)`

/** A part of a sleep score: its value is from 0 to 1, and only counts when known. */
interface ScorePart {
  weight: number
  isKnown: string
  value: string
}

const SCORE_PARTS: readonly ScorePart[] = [
  {
    weight: 0.5,
    isKnown: 'stage_asleep_second is not null',
    value: 'least(stage_asleep_second / 28800, 1)',
  },
  {
    weight: 0.25,
    isKnown: 'efficiency is not null',
    value: clamped('(efficiency - 65) / 25'),
  },
  {
    weight: 0.15,
    isKnown: 'stage_rem_second + stage_deep_second is not null and stage_asleep_second > 0',
    value: clamped('(stage_rem_second + stage_deep_second) / stage_asleep_second / 0.4'),
  },
  {
    weight: 0.1,
    isKnown: 'latency_second is not null',
    value: clamped('(60 - latency_second / 60) / 40'),
  },
]

const scored = SCORE_PARTS.map(
  ({ weight, isKnown, value }) => `if(${isKnown}, ${weight} * ${value}, 0)`,
)
const weights = SCORE_PARTS.map(({ weight, isKnown }) => `if(${isKnown}, ${weight}, 0)`)

/** Unknown parts are left out, and the weights of the others grow. */
const SLEEP_SCORE = `if(stage_asleep_second is null, null,
  toInt64(floor(100 * (${scored.join(' + ')}) / greatest(${weights.join(' + ')}, 0.1) + 0.5)))`

export const SLEEP_MACROS = {
  chronotype: scalarColumn('chronotype', 'text', CHRONOTYPE, 'known'),
  asleep_at: scalarColumn('asleep_at', 'datetime', ASLEEP_AT, 'known'),
  awake_at: scalarColumn('awake_at', 'datetime', AWAKE_AT, 'known'),
  awakenings: scalarColumn('awakenings', 'integer', AWAKENINGS),
  sleep_score: scalarColumn('sleep_score', 'integer', SLEEP_SCORE),
} as const
