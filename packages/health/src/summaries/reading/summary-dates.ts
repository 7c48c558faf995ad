import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { compareUuids } from '../../day-cache/index.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { type Bound, type DateRules, type Period, presentDates } from './summary-period.ts'

/** A resource that is read by time; a sleep cycle is read from its sleep. */
export type DatedResource = Exclude<SummaryResource, 'profile'> | 'sleep_cycle'

/** How a resource is selected by date (docs/contract/06-summaries.md#date-semantics). */
interface ResourceDates extends DateRules {
  /** Column of personRowsSql that days are compared with. */
  day: 'local_day' | 'local_end_day'
  /** Column that instants are compared with. */
  instant: 'started_at' | 'ended_at'
}

const session = { isDateOnly: false, openEnd: 'instant', day: 'local_day' } as const

const DATES: Record<Exclude<DatedResource, 'menstrual_cycle'>, ResourceDates> = {
  activity: { isDateOnly: true, openEnd: 'date', day: 'local_day', instant: 'started_at' },
  sleep: { ...session, instant: 'ended_at' },
  sleep_cycle: { ...session, isDateOnly: true, day: 'local_end_day', instant: 'ended_at' },
  workouts: { ...session, instant: 'started_at' },
  body: { ...session, instant: 'started_at' },
  meal: { ...session, instant: 'started_at' },
  electrocardiogram: { ...session, isDateOnly: true, instant: 'started_at' },
}

/** Returns the allowed dates in a request for a resource, and the meaning of an open end. */
export function dateRulesOf(resource: DatedResource): DateRules {
  return resource === 'menstrual_cycle' ? { isDateOnly: true, openEnd: 'date' } : DATES[resource]
}

/** SQL and parameters that select rows of personRowsSql by date and order them. */
export interface DateFilter {
  where: string
  orderBy: string
  parameters: Record<string, string | number>
  isLong: boolean
  /** The same of rows as they are stored, of a period that is not long. */
  ofRows?: RowFilter
}

/** What decides whether a row is in a period. */
export interface DatedRow {
  id: string
  local_day: string
  local_end_day: string
  /** Epoch milliseconds. */
  started_at: number
  ended_at: number
}

/** A filter that leaves local times to this process, which computes them for less. */
export interface RowFilter {
  /** SQL over stored columns that holds for all selected rows, and for some others. */
  where: string
  parameters: Record<string, string | number>
  isSelected(row: DatedRow): boolean
  compare(a: DatedRow, b: DatedRow): number
}

/**
 * Returns the filter of rows within a period, for ClickHouse. `now` only matters to a cycle without
 * an end, which lasts to today.
 */
export function dateFilterOf(
  resource: DatedResource,
  { from, to, isLong }: Period,
  now: Date,
): DateFilter {
  const parameters = { ...parameterOf('from', from), ...parameterOf('to', to) }
  if (resource === 'menstrual_cycle') {
    const start = 'coalesce(period_start, local_day)'
    return {
      // A cycle without an end is in progress.
      where: `${start} <= {to:Date32}
        and coalesce(cycle_end, period_end, greatest(${start}, {today:Date32})) >= {from:Date32}`,
      orderBy: `${start}, id`,
      parameters: { ...parameters, today: now.toISOString().slice(0, 10) },
      isLong,
    }
  }
  const { day, instant } = DATES[resource]
  const compare = (name: string, sign: string, bound: Bound): string =>
    'date' in bound
      ? `${day} ${sign} {${name}:Date32}`
      : `${instant} ${sign} fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`
  return {
    where: `${compare('from', '>=', from)} and ${compare('to', '<=', to)}`,
    orderBy: orderOf(resource, from),
    parameters,
    isLong,
    ...(!isLong && { ofRows: rowFilterOf(resource, from, to) }),
  }
}

/** More than a local date can differ from that in UTC. */
const MARGIN_MS = 2 * DAY_MS

function rowFilterOf(
  resource: Exclude<DatedResource, 'menstrual_cycle'>,
  from: Bound,
  to: Bound,
): RowFilter {
  const { day, instant } = DATES[resource]
  const date =
    day === 'local_day' ? `ifNull(calendar_date, toDate32(${instant}))` : `toDate32(${instant})`
  const compare = (name: string, sign: string, bound: Bound): string =>
    'date' in bound
      ? `${date} ${sign} {${name}:Date32}`
      : `${instant} ${sign} fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`
  const difference = (row: DatedRow, bound: Bound): number =>
    'date' in bound ? compareTexts(row[day], bound.date) : row[instant] - bound.instant
  const byDay = resource === 'activity' || 'date' in from
  return {
    where: `${compare('from', '>=', from)} and ${compare('to', '<=', to)}`,
    parameters: {
      ...parameterOf('from', widen(from, -MARGIN_MS)),
      ...parameterOf('to', widen(to, MARGIN_MS)),
    },
    isSelected: (row) => difference(row, from) >= 0 && difference(row, to) <= 0,
    compare: (a, b) =>
      (byDay ? compareTexts(a[day], b[day]) : 0) ||
      (resource === 'activity' ? 0 : a[instant] - b[instant]) ||
      compareUuids(a.id, b.id),
  }
}

function widen(bound: Bound, milliseconds: number): Bound {
  if ('instant' in bound) return bound
  return { date: dateAtOffset(Date.parse(bound.date) + milliseconds, 0) }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

function parameterOf(name: string, bound: Bound): Record<string, string | number> {
  return { [name]: 'date' in bound ? bound.date : bound.instant }
}

/** Orders by day, then by time; days of activity have no time. */
function orderOf(resource: Exclude<DatedResource, 'menstrual_cycle'>, from: Bound): string {
  const { day, instant } = DATES[resource]
  if (resource === 'activity') return `${day}, id`
  return 'date' in from ? `${day}, ${instant}, id` : `${instant}, id`
}

/**
 * Returns the part of the present time that decides about an answer: the present date in all zones
 * where the end is open, or none; undefined where the present instant decides.
 */
export function presentDateOf(
  resource: DatedResource,
  { end_date: end }: { end_date?: string | null },
  now: Date,
): string | undefined {
  const isOpen = !end
  if (isOpen && dateRulesOf(resource).openEnd === 'instant') return undefined
  // A cycle without an end lasts to today.
  return isOpen || resource === 'menstrual_cycle' ? presentDates(now) : ''
}
