import type { InstantRange } from './orders-list.filter.ts'

const DAY_MS = 86_400_000

/** A range of instants as whole UTC days and what is left of days at its ends. */
export interface DayRange {
  /** First whole day and the day after the last; null is open. Undefined when no day is whole. */
  whole: { firstDay: string | null; endDay: string | null } | undefined
  /** At most two, none empty. */
  parts: { from: Date; before: Date }[]
}

/** Whole days can be counted by the day; only the parts have to be looked at. */
export function splitByDays({ from, before }: InstantRange): DayRange {
  const start = from?.getTime() ?? Number.NEGATIVE_INFINITY
  const end = before?.getTime() ?? Number.POSITIVE_INFINITY
  if (start >= end) return { whole: undefined, parts: [] }
  const firstMidnight = from === null ? start : Math.ceil(start / DAY_MS) * DAY_MS
  const lastMidnight = before === null ? end : Math.floor(end / DAY_MS) * DAY_MS
  // Both ends within one day
  if (firstMidnight > lastMidnight) return { whole: undefined, parts: toParts([[start, end]]) }
  const parts = toParts([
    [start, firstMidnight],
    [lastMidnight, end],
  ])
  if (firstMidnight === lastMidnight) return { whole: undefined, parts }
  return { whole: { firstDay: toDay(firstMidnight), endDay: toDay(lastMidnight) }, parts }
}

function toParts(bounds: [from: number, before: number][]): DayRange['parts'] {
  return bounds
    .filter(([from, before]) => from < before)
    .map(([from, before]) => ({ from: new Date(from), before: new Date(before) }))
}

function toDay(midnight: number): string | null {
  return Number.isFinite(midnight) ? new Date(midnight).toISOString().slice(0, 10) : null
}
