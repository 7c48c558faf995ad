import type { RankedSource } from '../../source-priorities/index.ts'

/** Means an unknown offset. */
const NO_OFFSET = Number.NaN

/**
 * Samples of one source and series as columns of equal length, in order of start, end and value.
 */
export interface SourceSamples {
  source: RankedSource
  /** Epoch milliseconds; equal for a point. */
  startedAt: Float64Array
  endedAt: Float64Array
  /** In the unit of the series. */
  value: Float64Array
  /** Offset from UTC in seconds where the user was, or NO_OFFSET. */
  offset: Float64Array
}

/** One sample in the form of callers. */
export interface MergeSample extends RankedSource {
  startedAt: number
  endedAt: number
  value: number
  /** Offset from UTC in seconds, or null when unknown. */
  timezoneOffset: number | null
}

/** Sorts the samples of a source, unless they are sorted. */
export function sortSamples(samples: SourceSamples): SourceSamples {
  const { startedAt, endedAt, value, offset } = samples
  const compare = (a: number, b: number): number =>
    elementAt(startedAt, a) - elementAt(startedAt, b) ||
    elementAt(endedAt, a) - elementAt(endedAt, b) ||
    elementAt(value, a) - elementAt(value, b)
  let isSorted = true
  for (let index = 1; index < startedAt.length && isSorted; index++) {
    isSorted = compare(index - 1, index) <= 0
  }
  if (isSorted) return samples
  const order = Uint32Array.from(startedAt, (_, index) => index).sort(compare)
  const pick = (column: Float64Array) =>
    Float64Array.from(order, (index) => elementAt(column, index))
  return {
    source: samples.source,
    startedAt: pick(startedAt),
    endedAt: pick(endedAt),
    value: pick(value),
    offset: pick(offset),
  }
}

/** Returns an element that is known to exist. */
export const elementAt = (column: { readonly [index: number]: number }, index: number): number =>
  column[index] as number

/** Groups samples of any order by source, in order of provider, source type and app. */
export function groupBySource(samples: readonly MergeSample[]): SourceSamples[] {
  const groups = Map.groupBy(
    samples,
    ({ provider, sourceType, appId }) => `${provider}\t${sourceType}\t${appId}`,
  )
  const keys = [...groups.keys()].sort()
  return keys.map((key) => {
    const group = groups.get(key) ?? []
    const { provider, sourceType, appId } = group[0] as MergeSample
    return sortSamples({
      source: { provider, sourceType, appId },
      startedAt: Float64Array.from(group, (sample) => sample.startedAt),
      endedAt: Float64Array.from(group, (sample) => sample.endedAt),
      value: Float64Array.from(group, (sample) => sample.value),
      offset: Float64Array.from(group, (sample) => sample.timezoneOffset ?? NO_OFFSET),
    })
  })
}
