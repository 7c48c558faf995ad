import { DAY_MS } from '@salus/contracts/time-units'
import type { DataChange } from '@salus/kernel/data-changes'
import type { SampleBatch, SampleOwner } from './sample.ts'
import type { SampleRange } from './samples.repository.ts'

/**
 * Reading an unneeded day costs about as much as one more range in the statement, so gaps up to a
 * day are read through.
 */
const READ_THROUGH_MS = DAY_MS

/** Maximum number of ranges of one user's series; beyond it, only the widest gaps are left out. */
const MOST_RANGES_OF_SERIES = 8

/** Times of the samples of one user's series. */
export interface SampleTimes {
  owner: SampleOwner
  series: string
  times: number[]
}

/** Returns the times of all samples, by user and series. */
export function timesOf(batches: readonly SampleBatch[]): Map<string, SampleTimes> {
  const groups = new Map<string, SampleTimes>()
  for (const { owner, samples } of batches) {
    let series: string | undefined
    let times: number[] = []
    for (const sample of samples) {
      // Consecutive samples mostly share a series.
      if (sample.series !== series) {
        series = sample.series
        const key = `${owner.environmentId} ${owner.userId} ${series}`
        const group = groups.get(key) ?? { owner, series, times: [] }
        groups.set(key, group)
        times = group.times
      }
      times.push(sample.startedAt)
    }
  }
  return groups
}

/** Converts them to changes of data, one for each user and series. */
export function changesOf(groups: Map<string, SampleTimes>): DataChange[] {
  return [...groups.values()].map(({ owner, series, times }) => {
    let from = Number.POSITIVE_INFINITY
    let to = Number.NEGATIVE_INFINITY
    for (const time of times) {
      if (time < from) from = time
      if (time > to) to = time
    }
    return { environmentId: owner.environmentId, userId: owner.userId, resource: series, from, to }
  })
}

/**
 * Returns ranges of stored samples that may have these times. Ranges of different users and series
 * at about the same time are joined, because each range of a statement has a cost; the comparison
 * of keys ignores the excess.
 */
export function rangesOf(groups: Iterable<SampleTimes>): SampleRange[] {
  const ranges = [...groups].flatMap(({ owner, series, times }) =>
    splitAtGaps(times).map(([from, to]) => ({
      environmentIds: new Set([owner.environmentId]),
      userIds: new Set([owner.userId]),
      series: new Set([series]),
      from,
      to,
    })),
  )
  return joinNeighbors(ranges)
}

function splitAtGaps(times: number[]): [from: number, to: number][] {
  if (times.length === 0) return []
  const sorted = Float64Array.from(times).sort()
  const gapBefore = (index: number): number => (sorted[index] ?? 0) - (sorted[index - 1] ?? 0)
  const splits: number[] = []
  for (let index = 1; index < sorted.length; index++) {
    if (gapBefore(index) > READ_THROUGH_MS) splits.push(index)
  }
  splits.sort((a, b) => gapBefore(b) - gapBefore(a))
  const starts = [0, ...splits.slice(0, MOST_RANGES_OF_SERIES - 1)].sort((a, b) => a - b)
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? sorted.length
    return [sorted[start] ?? 0, sorted[end - 1] ?? 0]
  })
}

/** Whether one range over both reads little more than the two. */
function isNear(a: SampleRange, b: SampleRange): boolean {
  const together = Math.max(a.to, b.to) - Math.min(a.from, b.from)
  return together <= 2 * Math.min(a.to - a.from, b.to - b.from) + READ_THROUGH_MS
}

function joinNeighbors(ranges: SampleRange[]): SampleRange[] {
  const joined: SampleRange[] = []
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const near = joined.find((candidate) => isNear(candidate, range))
    if (near === undefined) {
      joined.push(range)
      continue
    }
    for (const id of range.environmentIds) near.environmentIds.add(id)
    for (const id of range.userIds) near.userIds.add(id)
    for (const name of range.series) near.series.add(name)
    near.from = Math.min(near.from, range.from)
    near.to = Math.max(near.to, range.to)
  }
  return joined
}
