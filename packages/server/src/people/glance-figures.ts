import { DAY_MS } from '@salus/contracts/time-units'
import type { MergedSource } from '@salus/health/timeseries'
import { GLANCE_FIGURES, type GlanceFigure, type GlanceFigureName } from './glance.schema.ts'

/** Days before the newest value that it is compared with. */
const BASELINE_DAYS = 28
const THOUSANDTHS = 1000

/** The value of a figure on a local day. */
export interface DayValue {
  value: number
  sources: MergedSource[]
  setAside?: MergedSource[]
  /** Local times without an offset. */
  localStart?: string
  localEnd?: string
}

/** Adds days to a calendar date, YYYY-MM-DD. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

const round = (value: number): number => Math.round(value * THOUSANDTHS) / THOUSANDTHS

/**
 * Returns the newest value with the mean of the 28 days before it. Days without a value do not
 * count in the mean: they are unknown, not zero.
 * @param today Present local day of the user; later days are left out.
 */
export function toFigure(
  name: GlanceFigureName,
  values: ReadonlyMap<string, DayValue>,
  today: string,
): GlanceFigure {
  const figure = { name, unit: GLANCE_FIGURES[name] }
  const date = [...values.keys()]
    .filter((day) => day <= today)
    .sort()
    .at(-1)
  const found = date === undefined ? undefined : values.get(date)
  if (date === undefined || found === undefined) return { ...figure, ...NOTHING }
  const first = addDays(date, -BASELINE_DAYS)
  const before = [...values].filter(([day]) => day >= first && day < date)
  const sum = before.reduce((total, [, { value }]) => total + value, 0)
  const mean = before.length === 0 ? null : sum / before.length
  return {
    ...figure,
    value: round(found.value),
    date,
    is_complete: date < today,
    local_start: found.localStart ?? null,
    local_end: found.localEnd ?? null,
    sources: found.sources,
    set_aside: found.setAside ?? [],
    mean: mean === null ? null : round(mean),
    days: before.length,
    change: mean === null ? null : round(found.value - mean),
  }
}

const NOTHING = {
  value: null,
  date: null,
  is_complete: null,
  local_start: null,
  local_end: null,
  sources: [],
  set_aside: [],
  mean: null,
  days: 0,
  change: null,
}
