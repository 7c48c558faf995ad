import { HOUR_MS } from '@salus/contracts/time-units'
import {
  measureRates,
  type Reading,
  type RecordedSession,
  readingsWithin,
  statisticsOf,
} from '../session-readings.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'

/** Readings of a user around a sleep, in any order. */
export interface SleepReadings {
  /** Beats per minute. */
  heartRates: readonly Reading[]
  /** Milliseconds. */
  rmssd: readonly Reading[]
  sdnn: readonly Reading[]
  /** Breaths per minute. */
  respiratoryRates: readonly Reading[]
  /** Temperatures at the wrist in °C. */
  skinTemperatures: readonly Reading[]
}

const LONG_SLEEP_SECONDS = 3 * 3600

/** Returns the type of a sleep whose source reports none (docs/contract/06-summaries.md#sleep). */
export function sleepTypeOf(seconds: number): 'long_sleep' | 'short_sleep' {
  return seconds >= LONG_SLEEP_SECONDS ? 'long_sleep' : 'short_sleep'
}

/** The temperature of a night may be measured this long before it. */
export const EARLY_TEMPERATURE_MS = HOUR_MS

type SleepValues = Partial<SummaryValues<'sleep'>>

/**
 * Computes values of a sleep from the readings during it.
 * @param said Values of the source, which are never changed.
 */
export function measureSleep(
  readings: SleepReadings,
  session: RecordedSession,
  said: SleepValues = {},
): SleepValues {
  const meanOf = (list: readonly Reading[], within = session): number | null =>
    list.length === 0 ? null : (statisticsOf(readingsWithin(list, within))?.mean ?? null)
  const early = { ...session, startedAt: session.startedAt - EARLY_TEMPERATURE_MS }
  return {
    ...measureRates(readingsWithin(readings.heartRates, session), said),
    hrv_mean_rmssd: said.hrv_mean_rmssd ?? meanOf(readings.rmssd),
    hrv_mean_sdnn: said.hrv_mean_sdnn ?? meanOf(readings.sdnn),
    respiratory_rate: said.respiratory_rate ?? meanOf(readings.respiratoryRates),
    skin_temperature: meanOf(readings.skinTemperatures, early),
  }
}
