import { DAY_MS } from '@salus/contracts/time-units'
import type { Period } from './buckets.ts'

/** Properties of a query that decide which buckets a change can affect. */
export interface QueryShape {
  period: Period
  /** Position of the bucket among the group keys. */
  bucketKey: number
  /** Whether a change can affect any bucket, so that all of them are evaluated. */
  isTouchedAnywhere: boolean
  /** How far before the window values may be carried into it; milliseconds. */
  readBackMs: number
  /** How long after a change buckets may be affected; milliseconds. */
  touchesAfterMs: number
  /** How long before a change buckets may be affected; milliseconds. */
  touchesBeforeMs: number
}

/**
 * A readiness uses the nights of the 21 days before its own
 * (docs/contract/09-aggregate.md#macros-and-readiness).
 */
const READINESS_MS = 22 * DAY_MS

/**
 * Whether a sample counts depends on overlapping samples, which are up to a day long and begin up
 * to a day earlier. The same holds for sleeps and workouts.
 */
const MERGED_MS = 2 * DAY_MS

const LONGEST_UNIT_MS = {
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 31 * DAY_MS,
  year: 366 * DAY_MS,
} as const

interface StoredQuery {
  source_rule?: string | null
  group_by?: readonly { date_trunc?: Partial<Period> }[] | null
  align?: { carry: { max_age?: Partial<Period> | null; span?: Partial<Period> | null } } | null
}

const toPeriod = ({ value = 1, unit = 'day' }: Partial<Period>): Period => ({ value, unit })

/**
 * Returns the shape of a valid query. With align, carried values fill and create buckets up to the
 * next observation, which depends on the data; such a query is evaluated as a whole, as is one on
 * the profile, whose index is the time of its last change.
 */
export function queryShapeOf(query: object, windowMs: number): QueryShape {
  const { group_by: groupBy, align } = query as StoredQuery
  const keys = groupBy ?? []
  const bucketKey = keys.findIndex(({ date_trunc: period }) => period !== undefined)
  const reach = align?.carry.max_age ?? align?.carry.span
  const reachMs = reach == null ? windowMs : lengthMs(toPeriod(reach))
  const isAligned = align != null
  const mergedMs = isMerged(query) ? MERGED_MS : 0
  return {
    period: toPeriod(keys[bucketKey]?.date_trunc ?? {}),
    bucketKey,
    isTouchedAnywhere: isAligned || readsTable(query, 'profile'),
    readBackMs: isAligned ? Math.min(reachMs, windowMs) : 0,
    touchesAfterMs: readsTable(query, 'derived_readiness') ? READINESS_MS : mergedMs,
    touchesBeforeMs: mergedMs,
  }
}

const lengthMs = ({ value, unit }: Period): number => value * LONGEST_UNIT_MS[unit]

/** Whether the sources of a query are merged. */
export const isMerged = (query: object): boolean =>
  readsTable(query, 'merged') || (query as StoredQuery).source_rule === 'merged'

/** Whether any expression in the query is a column or the index of the table. */
export function readsTable(part: unknown, table: string): boolean {
  if (typeof part !== 'object' || part === null) return false
  return Object.entries(part).some(
    ([name, value]) =>
      (name === table && typeof value === 'string') ||
      (name === 'index' && value === table) ||
      readsTable(value, table),
  )
}
