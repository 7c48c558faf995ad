import type { SourceType } from '@salus/contracts/series'
import type { Reading, SleepReadings, SummaryResource, SummaryValues } from '../summaries/index.ts'

/** An instant, and the offset of the person where the vendor's text says it. */
export interface VendorInstant {
  /** Epoch milliseconds. */
  at: number
  /** Seconds east of UTC, or null. */
  offset: number | null
}

/** What every kind of sample has. */
export interface SampleFrame {
  start: VendorInstant
  /** For what lasts; a point has none. */
  end?: VendorInstant
  sourceType?: SourceType
  /** The vendor's id of the entry: two entries of one instant that differ in it are two. */
  recordId?: string
  workoutId?: string
  sport?: string
  /** When the vendor last wrote it, epoch milliseconds; else the later arrival wins. */
  modifiedAt?: number
}

/** One value as a vendor tells it. */
export interface VendorSample extends SampleFrame {
  value: number
  /** Label of a unit that the series takes (docs/series.md). */
  unit: string
  /** Type of the sample, where the series has some. */
  type?: string
  /** Extra fields of the series (docs/contract/05-timeseries.md#resource-table). */
  extra?: Readonly<Record<string, string>>
}

/** What the person wrote. */
export interface VendorNote extends SampleFrame {
  text: string
  tags?: readonly string[]
}

export interface VendorBloodPressure extends SampleFrame {
  systolic: number
  diastolic: number
  unit: string
}

/** One record as a vendor tells it: a night, a workout, a day. */
export interface VendorSummary<R extends SummaryResource> {
  /** The vendor's id of the record, or the date of daily data. */
  recordId: string
  /** YYYY-MM-DD where the vendor says the day; else that of the start (of a sleep: of the end). */
  calendarDate?: string
  start: VendorInstant
  end?: VendorInstant
  sourceType?: SourceType
  /** Product name of the device. */
  deviceModel?: string
  timeZone?: string
  values: Partial<SummaryValues<R>>
  /** The record as it came. */
  raw: unknown
  modifiedAt?: number
}

/** `asleep` is sleep without a stage. */
export type VendorStage = 'deep' | 'rem' | 'light' | 'awake' | 'asleep' | 'unknown'

/** A stretch of one stage, in seconds from the start of the sleep; the end is not within. */
export interface VendorStageSpan {
  stage: VendorStage
  from: number
  to: number
}

/**
 * A sleep: what the vendor says of it counts; what it does not say is told by stages and readings.
 */
export interface VendorSleep extends VendorSummary<'sleep'> {
  end: VendorInstant
  stages?: readonly VendorStageSpan[]
  readings?: Partial<SleepReadings>
}

/** A workout: what the vendor does not say of the heart is told by readings. */
export interface VendorWorkout extends VendorSummary<'workouts'> {
  /** As the vendor calls it; all that Salus does not know is `other`. */
  sport: string
  heartRates?: readonly Reading[]
}

/** For connectors, which import nothing but this interface. */
export type { SourceType } from '@salus/contracts/series'
export { isFields } from '../summaries/index.ts'
