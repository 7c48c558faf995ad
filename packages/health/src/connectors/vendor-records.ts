import type { SourceType } from '@salus/contracts/series'
import type { Reading, SleepReadings, SummaryResource, SummaryValues } from '../summaries/index.ts'

/** An instant, and the user's offset where the vendor's text has it. */
export interface VendorInstant {
  /** Epoch milliseconds. */
  at: number
  /** Offset from UTC in seconds, or null. */
  offset: number | null
}

/** Epoch milliseconds; `to` is exclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Common fields of all kinds of samples. */
export interface SampleFrame {
  start: VendorInstant
  /** End of an interval; a point has none. */
  end?: VendorInstant
  sourceType?: SourceType
  /** App or device that is a source of its own within the provider, such as a package name. */
  appId?: string
  /** The vendor's id of the entry. Entries of the same instant with different ids are distinct. */
  recordId?: string
  workoutId?: string
  sport?: string
  /** Last change at the vendor, epoch milliseconds; without it the later arrival wins. */
  modifiedAt?: number
}

/** One value from a vendor. */
export interface VendorSample extends SampleFrame {
  value: number
  /** Unit label that the series accepts (docs/series.md). */
  unit: string
  /** Sample type, where the series has types. */
  type?: string
  /** Extra fields of the series (docs/contract/05-timeseries.md#resource-table). */
  extra?: Readonly<Record<string, string>>
}

/** A note of the user. */
export interface VendorNote extends SampleFrame {
  text: string
  tags?: readonly string[]
}

export interface VendorBloodPressure extends SampleFrame {
  systolic: number
  diastolic: number
  unit: string
}

/** One record from a vendor: a night, a workout, a day. */
export interface VendorSummary<R extends SummaryResource> {
  /** The vendor's id of the record, or the date of daily data. */
  recordId: string
  /**
   * YYYY-MM-DD where the vendor names the day; by default the day of the start, for a sleep of the
   * end.
   */
  calendarDate?: string
  start: VendorInstant
  end?: VendorInstant
  sourceType?: SourceType
  /** As of samples; it is a part of the id of the summary. */
  appId?: string
  /** Product name of the device. */
  deviceModel?: string
  timeZone?: string
  values: Partial<SummaryValues<R>>
  /** The record as it was received. */
  raw: unknown
  modifiedAt?: number
}

/** `asleep` is sleep without a known stage, `manual` sleep that the user typed in. */
export type VendorStage = 'deep' | 'rem' | 'light' | 'awake' | 'asleep' | 'manual' | 'unknown'

/** An interval of one stage, in seconds from the start of the sleep; the end is exclusive. */
export interface VendorStageSpan {
  stage: VendorStage
  from: number
  to: number
}

/** A sleep. Stages and readings supply what the vendor does not report. */
export interface VendorSleep extends VendorSummary<'sleep'> {
  end: VendorInstant
  stages?: readonly VendorStageSpan[]
  readings?: Partial<SleepReadings>
}

/** A workout. Readings supply the heart rates that the vendor does not report. */
export interface VendorWorkout extends VendorSummary<'workouts'> {
  /** The vendor's name of the sport; unknown ones become `other`. */
  sport: string
  heartRates?: readonly Reading[]
}

/** Exported for connectors, which import only this interface. */
export type { SourceType } from '@salus/contracts/series'
export { isFields } from '../summaries/index.ts'
