import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Period, PeriodUnit } from './expressions.schema.ts'

/** A length of time: so many milliseconds, or so many months of the calendar. */
export type Span = { kind: 'fixed'; ms: number } | { kind: 'months'; months: number }

const MS: Partial<Record<PeriodUnit, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
}
const MEAN_MONTH_MS = 30.436875 * DAY_MS

/**
 * Minutes to weeks are fixed lengths; months and years are counted in months, since those differ in
 * length.
 */
export function spanOf({ unit, value = 1 }: Period): Span {
  const ms = MS[unit]
  if (ms !== undefined) return { kind: 'fixed', ms: ms * value }
  return { kind: 'months', months: unit === 'year' ? value * 12 : value }
}

/** Length in milliseconds, that of months on average. */
export function roughMs(span: Span): number {
  return span.kind === 'fixed' ? span.ms : span.months * MEAN_MONTH_MS
}

/** Goes back from a floating time; a day that a month lacks is its last one. NaN when too far. */
export function goBack(floating: number, span: Span): number {
  if (span.kind === 'fixed') return floating - span.ms
  const date = new Date(floating)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() - span.months
  const year = Math.floor(months / 12)
  const month = months - year * 12
  const lastDay = new Date(0).setUTCFullYear(year, month + 1, 0)
  const day = Math.min(date.getUTCDate(), new Date(lastDay).getUTCDate())
  return date.setUTCFullYear(year, month, day)
}
