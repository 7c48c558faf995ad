import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { StoredSummary } from './person-data.ts'
import type { Scalar } from './reference-row.ts'

const AWAKE = 4
/** Deep, light and REM. */
const ASLEEP: readonly number[] = [1, 2, 3]

const numberOf = (row: StoredSummary, name: string): number | null =>
  (row.values[name] ?? null) as number | null

/** docs/contract/09-aggregate.md#macros-and-readiness, the macros of one sleep. */
export function sleepMacros(
  row: StoredSummary,
  localEnd: number,
  toLocal: (instant: number) => number,
): Record<string, Scalar> {
  const localStart = toLocal(row.startedAt)
  return {
    chronotype: chronotypeOf(toLocal((row.startedAt + row.endedAt) / 2)),
    asleep_at: localStart + (numberOf(row, 'latency_second') ?? 0) * 1000,
    awake_at: awakeAt(row, localStart, localEnd),
    awakenings: awakeningsOf(row),
    sleep_score: sleepScoreOf(row),
  }
}

function chronotypeOf(localMidpoint: number): string {
  const minutes = (localMidpoint % DAY_MS) / MINUTE_MS
  if (minutes >= 17 * 60 || minutes <= 3 * 60 + 30) return 'lark'
  return minutes <= 6 * 60 ? 'third' : 'owl'
}

function awakeAt(row: StoredSummary, localStart: number, localEnd: number): number {
  const types = (row.values.stage_type ?? []) as number[]
  const ends = (row.values.stage_end_offset_second ?? []) as number[]
  const last = types.findLastIndex((type) => type !== AWAKE)
  return last === -1 ? localEnd : localStart + (ends[last] as number) * 1000
}

function awakeningsOf(row: StoredSummary): number | null {
  const types = (row.values.stage_type ?? []) as number[]
  if (types.length === 0) return null
  return types.filter((type, at) => type === AWAKE && ASLEEP.includes(types[at - 1] ?? AWAKE))
    .length
}

const clamp = (value: number): number => Math.min(1, Math.max(0, value))

/**
 * docs/contract/09-aggregate.md#macros-and-readiness, sleep_score: parts that are not known drop
 * out, and the weights of the others grow.
 */
export function sleepScoreOf(row: StoredSummary): number | null {
  const asleep = numberOf(row, 'stage_asleep_second')
  if (asleep === null) return null
  const efficiency = numberOf(row, 'efficiency')
  const rem = numberOf(row, 'stage_rem_second')
  const deep = numberOf(row, 'stage_deep_second')
  const latency = numberOf(row, 'latency_second')
  const parts: [weight: number, value: number][] = [[0.5, Math.min(asleep / (8 * 3600), 1)]]
  if (efficiency !== null) parts.push([0.25, clamp((efficiency - 65) / 25)])
  if (rem !== null && deep !== null && asleep > 0) {
    parts.push([0.15, clamp((rem + deep) / asleep / 0.4)])
  }
  if (latency !== null) parts.push([0.1, clamp((60 - latency / 60) / 40)])
  const weights = parts.reduce((sum, [weight]) => sum + weight, 0)
  const total = parts.reduce((sum, [weight, value]) => sum + weight * value, 0)
  return Math.round((100 * total) / weights)
}
