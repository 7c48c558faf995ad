import { type SeriesName, series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { mergeSeries } from '../../../timeseries/index.ts'
import type { StoredReading } from '../../imported-data.repository.ts'

/** The share of a time slot, with the day that it belongs to. */
interface MergedAmount {
  /** The local calendar day, YYYY-MM-DD. */
  calendarDate: string
  amount: number
  /** Offset from UTC in seconds at the beginning of the slot. */
  offset: number
}

/** Returns the amounts of each local day, counting each instant once across sources. */
export function mergeByDay(
  provider: string,
  name: SeriesName,
  readings: readonly StoredReading[],
  fallbackZone: string,
): MergedAmount[] {
  const samples = readings.map((reading) => ({
    provider,
    sourceType: reading.source_type,
    appId: reading.app_id,
    startedAt: reading.started_at,
    endedAt: reading.ended_at,
    value: reading.value,
    timezoneOffset: reading.timezone_offset,
  }))
  const slots = mergeSeries(series(name).merge, samples, undefined, DAY_MS, fallbackZone)
  return slots.map(({ calendarDate, value, offsetMs }) => ({
    calendarDate,
    amount: value,
    offset: Math.round(offsetMs / 1000),
  }))
}
