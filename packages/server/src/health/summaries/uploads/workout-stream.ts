import type { Sample } from '../../ingest/index.ts'
import type { WorkoutStream } from '../summary.ts'

const toSecond = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** Heart rates by second, the last of a second. */
function ratesBySecond(samples: readonly Sample[]): Map<number, number> {
  return new Map(samples.map(({ startedAt, value }) => [toSecond(startedAt), value]))
}

/**
 * Distance covered by each second. Two devices may have measured the same way: an interval that begins
 * before the one before it has ended is not counted again.
 */
function distancesBySecond(samples: readonly Sample[]): Map<number, number> {
  const covered = new Map<number, number>()
  let total = 0
  let until = Number.NEGATIVE_INFINITY
  for (const { startedAt, endedAt, value } of samples.toSorted(
    (a, b) => a.startedAt - b.startedAt || a.endedAt - b.endedAt || a.value - b.value,
  )) {
    if (startedAt < until) continue
    total += value
    until = endedAt
    covered.set(toSecond(endedAt), total)
  }
  return covered
}

/** The stream of a workout as far as its samples give one: heart rates and cumulative meters. */
export function buildStream(
  { startedAt, endedAt }: Pick<Sample, 'startedAt' | 'endedAt'>,
  heartRates: readonly Sample[],
  distances: readonly Sample[],
): WorkoutStream | undefined {
  const isWithin = (sample: Sample): boolean =>
    sample.startedAt >= startedAt && sample.startedAt <= endedAt
  const rates = ratesBySecond(heartRates.filter(isWithin))
  const covered = distancesBySecond(distances.filter(isWithin))
  const time = [...new Set([...rates.keys(), ...covered.keys()])].sort((a, b) => a - b)
  if (time.length === 0) return undefined
  const channel = (bySecond: Map<number, number>): (number | null)[] =>
    bySecond.size === 0 ? [] : time.map((second) => bySecond.get(second) ?? null)
  return { time, heartrate: channel(rates), distance: channel(covered) }
}
