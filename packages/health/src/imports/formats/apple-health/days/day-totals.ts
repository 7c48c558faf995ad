import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { Sample, SampleOwner } from '../../../../ingest/index.ts'
import {
  countSources,
  type DayRange,
  listDailyAmounts,
  listDailyHeartRates,
  listReadingsOfDays,
} from '../../../imported-data.repository.ts'
import { mergeByDay } from '../merged-amounts.ts'
import type { DayTotals } from './activity-summary.ts'

/** Series whose amounts are part of a day's activity. */
const AMOUNTS = [
  'steps',
  'distance',
  'floors_climbed',
  'calories_active',
  'calories_basal',
  'wheelchair_push',
] as const
const SERIES_OF_DAYS: ReadonlySet<string> = new Set([...AMOUNTS, 'heartrate'])

/** Collects the local days, counted from 1970-01-01, of which an import brought samples. */
export class SampleDays {
  readonly days = new Set<number>()
  #last = Number.NaN

  /** @param samples Of one record type. */
  add(samples: readonly Sample[]): void {
    const [first] = samples
    if (first === undefined || !SERIES_OF_DAYS.has(first.series)) return
    for (const { startedAt, endedAt, timezoneOffset } of samples) {
      const offset = (timezoneOffset ?? 0) * 1000
      this.#addDay(Math.floor((startedAt + offset) / DAY_MS))
      if (endedAt > startedAt) this.#addDay(Math.floor((endedAt - 1 + offset) / DAY_MS))
    }
  }

  /** Adds all days to which instants of removed samples may belong in any time zone. */
  addAround(series: string, instants: readonly number[]): void {
    if (!SERIES_OF_DAYS.has(series)) return
    for (const at of instants) {
      for (const offset of [-DAY_MS / 2, DAY_MS / 2])
        this.#addDay(Math.floor((at + offset) / DAY_MS))
    }
  }

  #addDay(day: number): void {
    // Consecutive samples mostly share a day.
    if (day === this.#last) return
    this.#last = day
    this.days.add(day)
  }
}

interface MutableTotals extends DayTotals {
  amounts: Map<string, number>
}

/**
 * Sums up the stored samples of local days. Where a series has several sources, each instant counts
 * once; with one source the store computes the sum.
 * @param fallbackZone IANA zone for samples without an offset.
 */
export async function readDayTotals(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  days: DayRange,
  fallbackZone: string,
): Promise<Map<number, DayTotals>> {
  const totals = new Map<number, MutableTotals>()
  const of = (day: number): MutableTotals => {
    const known = totals.get(day) ?? { amounts: new Map(), heartRate: undefined, offset: null }
    totals.set(day, known)
    return known
  }
  const [rates, sources] = await Promise.all([
    listDailyHeartRates(clickhouse, owner, days, fallbackZone),
    countSources(clickhouse, owner, AMOUNTS, days),
  ])
  const single = AMOUNTS.filter((series) => sources.get(series) === 1)
  const several = AMOUNTS.filter((series) => (sources.get(series) ?? 0) > 1)
  const [sums, ...readings] = await Promise.all([
    single.length === 0 ? [] : listDailyAmounts(clickhouse, owner, single, days, fallbackZone),
    ...several.map((series) => listReadingsOfDays(clickhouse, owner, [series], days)),
  ])
  for (const { series, day, amount, offset } of sums) {
    of(day).amounts.set(series, roundToMicros(amount))
    of(day).offset = offset
  }
  for (const [index, series] of several.entries()) {
    const merged = mergeByDay(owner.provider, series, readings[index] ?? [], fallbackZone)
    for (const { calendarDate, amount, offset } of merged) {
      const day = Date.parse(calendarDate) / DAY_MS
      if (day < days.firstDay || day > days.lastDay) continue
      of(day).amounts.set(series, roundToMicros(amount))
      of(day).offset = offset
    }
  }
  for (const { day, offset, ...heartRate } of rates) {
    of(day).heartRate = { ...heartRate, mean: roundToMicros(heartRate.mean) }
    of(day).offset ??= offset
  }
  return totals
}

/** Shares of samples that extend over midnight have more digits than a summary needs. */
const roundToMicros = (value: number): number => Math.round(value * 1e6) / 1e6
