import { sweepSpans } from './stage-sweep.ts'

/** Stage types of a sleep cycle (docs/contract/06-summaries.md#sleep-cycle). */
const DEEP = 1
const LIGHT = 2
const REM = 3
const AWAKE = 4
const MANUAL = 5
const UNKNOWN = -1

/**
 * Kinds of stage samples, the most specific first: where samples overlap the first one counts.
 * Lying in bed is not a stage.
 */
const KINDS = [
  { lists: ['deep_sleep_samples'], stage: DEEP },
  { lists: ['rem_sleep_samples'], stage: REM },
  { lists: ['light_sleep_samples'], stage: LIGHT },
  { lists: ['awake_sleep_samples', 'out_of_bed_sleep_samples'], stage: AWAKE },
  // Asleep, but the device does not report the stage.
  { lists: ['unspecified_sleep_samples'], stage: UNKNOWN },
  // Sleep that the user typed in. Uploads have none.
  { lists: [], stage: MANUAL },
  { lists: ['unknown_sleep_samples'], stage: UNKNOWN },
] as const
const UNSPECIFIED_KIND = 4
const MANUAL_KIND = 5
const UNKNOWN_KIND = 6
const ASLEEP_KINDS: ReadonlySet<number> = new Set([0, 1, 2, UNSPECIFIED_KIND, MANUAL_KIND])

/** Lists of stage samples, each with the index of its kind. */
export const STAGE_LISTS: readonly (readonly [list: string, kind: number])[] = KINDS.flatMap(
  ({ lists }, kind) => lists.map((list) => [list, kind] as const),
)

/** A stage sample: seconds from the start of the sleep; the end is exclusive. */
export interface StageSpan {
  kind: number
  from: number
  to: number
}

/** Stages of a night: ordered, not overlapping, neighbors of one stage joined. */
export interface Stages {
  startOffsets: number[]
  endOffsets: number[]
  types: number[]
  /** Seconds by kind, in the order of KINDS. */
  secondsByKind: number[]
  /** Seconds from the start to the first sleep, or null without sleep. */
  asleepAt: number | null
}

/** Removes overlaps of spans in any order; spans outside the sleep are dropped. */
export function orderStages(spans: readonly StageSpan[], durationSeconds: number): Stages {
  const inside: Parameters<typeof sweepSpans>[0][number][] = []
  for (const span of spans) {
    const [from, to] = [Math.max(0, span.from), Math.min(durationSeconds, span.to)]
    if (from < to) inside.push({ rank: span.kind, from, to })
  }
  const stages: Stages = {
    startOffsets: [],
    endOffsets: [],
    types: [],
    secondsByKind: KINDS.map(() => 0),
    asleepAt: null,
  }
  for (const { rank, from, to } of sweepSpans(inside)) addSegment(stages, rank, from, to)
  return stages
}

function addSegment(stages: Stages, kind: number, from: number, to: number): void {
  const stage = KINDS[kind]?.stage
  if (stage === undefined) return
  stages.secondsByKind[kind] = (stages.secondsByKind[kind] ?? 0) + to - from
  if (ASLEEP_KINDS.has(kind)) stages.asleepAt ??= from
  const last = stages.types.length - 1
  if (stages.types[last] === stage && stages.endOffsets[last] === from) {
    stages.endOffsets[last] = to
    return
  }
  stages.startOffsets.push(from)
  stages.endOffsets.push(to)
  stages.types.push(stage)
}

/** Returns the seconds of a night by stage, and asleep; without stages only the time asleep. */
export function summarizeStages({ types, secondsByKind }: Stages, durationSeconds: number) {
  const [deep = 0, rem = 0, light = 0, awake = 0] = secondsByKind
  const unspecified = (secondsByKind[UNSPECIFIED_KIND] ?? 0) + (secondsByKind[MANUAL_KIND] ?? 0)
  const unknown = secondsByKind[UNKNOWN_KIND] ?? 0
  const staged = deep + rem + light + unspecified
  const asleep = staged > 0 ? staged : durationSeconds - awake
  const isTold = types.length > 0
  return {
    stage_asleep_second: asleep,
    stage_awake_second: isTold ? awake : null,
    stage_light_second: isTold ? light : null,
    stage_rem_second: isTold ? rem : null,
    stage_deep_second: isTold ? deep : null,
    stage_unknown_second: isTold ? unspecified + unknown : null,
    efficiency: durationSeconds > 0 ? (100 * asleep) / durationSeconds : null,
  }
}
