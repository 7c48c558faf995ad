import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Period, PeriodUnit } from './expressions.schema.ts'

/** A length of time: a number of milliseconds, or of calendar months. */
export type Span = { kind: 'fixed'; ms: number } | { kind: 'months'; months: number }

const MS: Partial<Record<PeriodUnit, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
}
const MEAN_MONTH_MS = 30.436875 * DAY_MS

/**
 * Returns the span of a period: minutes to weeks have fixed lengths; months and years are counted
 * in months, whose lengths differ.
 */
export function spanOf({ unit, value = 1 }: Period): Span {
  const ms = MS[unit]
  if (ms !== undefined) return { kind: 'fixed', ms: ms * value }
  return { kind: 'months', months: unit === 'year' ? value * 12 : value }
}

/** Returns the length in milliseconds, with an average for months. */
export function approximateMs(span: Span): number {
  return span.kind === 'fixed' ? span.ms : span.months * MEAN_MONTH_MS
}

/** Moves a floating time back; a day that a month lacks becomes its last one. NaN when too far. */
export function subtractSpan(floating: number, span: Span): number {
  if (span.kind === 'fixed') return floating - span.ms
  const date = new Date(floating)
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() - span.months
  const year = Math.floor(months / 12)
  const month = months - year * 12
  const lastDay = new Date(0).setUTCFullYear(year, month + 1, 0)
  const day = Math.min(date.getUTCDate(), new Date(lastDay).getUTCDate())
  return date.setUTCFullYear(year, month, day)
}
