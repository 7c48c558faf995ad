import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { DataChange } from '@salus/kernel/data-changes'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { SampleOwner } from '../../ingest/index.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'

/** A summary before or after a change. Times are epoch milliseconds. */
export interface TouchedSummary {
  owner: SampleOwner
  resource: SummaryResource
  calendarDate: string | null
  startedAt: number
  endedAt: number
}

/** No place is further from UTC. */
const MOST_OFFSET_MS = 15 * HOUR_MS

/** Returns the instants of a summary; of a day of activity all that it can have in any zone. */
function timesOf({ resource, calendarDate, startedAt, endedAt }: TouchedSummary): {
  from: number
  to: number
} {
  if (resource !== 'activity' || calendarDate === null) {
    return { from: Math.min(startedAt, endedAt), to: Math.max(startedAt, endedAt) }
  }
  const midnight = startOfUtcDay(calendarDate)
  return { from: midnight - MOST_OFFSET_MS, to: midnight + DAY_MS - 1 + MOST_OFFSET_MS }
}

/**
 * Returns the changed times of users: times less than a day apart are one change, since days are
 * summed.
 */
export function dataChangesOf(touched: readonly TouchedSummary[]): DataChange[] {
  const keyOf = ({ owner, resource }: TouchedSummary): string =>
    `${owner.environmentId} ${owner.userId} ${resource}`
  return [...Map.groupBy(touched, keyOf).values()].flatMap((group) => {
    const { owner, resource } = group[0] as TouchedSummary
    const { environmentId, userId } = owner
    return joinTimes(group.map(timesOf)).map((times) => ({
      environmentId,
      userId,
      resource,
      ...times,
    }))
  })
}

function joinTimes(times: { from: number; to: number }[]): { from: number; to: number }[] {
  const joined: { from: number; to: number }[] = []
  for (const next of times.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && next.from - last.to < DAY_MS) last.to = Math.max(last.to, next.to)
    else joined.push({ ...next })
  }
  return joined
}

/**
 * Returns the write of a batch to its people, for the versions of their data: those with rows of
 * summaries, and those with streams. Summaries have no copies of days, so the times mean nothing.
 */
export function writesOf(
  people: ReadonlyMap<string, SampleOwner>,
  operations: readonly { owner: SampleOwner; streams: ReadonlyMap<string, unknown> }[],
): DataChange[] {
  const owners = new Map(people)
  for (const { owner, streams } of operations) {
    if (streams.size > 0) owners.set(`${owner.environmentId} ${owner.userId}`, owner)
  }
  return [...owners.values()].map(({ environmentId, userId }) => ({
    environmentId,
    userId,
    resource: 'summaries',
    from: 0,
    to: 0,
  }))
}
