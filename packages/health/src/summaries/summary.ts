import { emptyValues, type SummaryResource, type SummaryValues } from './summary-tables.registry.ts'

/** A summary to store, in the units of its columns. Unknown texts are empty. */
export interface NewSummary<R extends SummaryResource = SummaryResource> {
  resource: R
  /**
   * The source's id of the record, or the calendar date of daily data: with user, provider and app
   * it makes the id, which stays when the record is sent again
   * (docs/contract/04-providers.md#primary-keys-and-replacement).
   */
  recordId: string
  sourceType: string
  appId: string
  /** Product name of the device. */
  deviceModel: string
  /**
   * The day as the source reported it; null for the local day of an instant, which reads compute.
   */
  calendarDate: string | null
  /**
   * Epoch milliseconds; equal for a record with one instant. For a day without times: 00:00 UTC of
   * its date. For a menstrual cycle: 00:00 UTC of its first and last known day.
   */
  startedAt: number
  endedAt: number
  /**
   * Offset from UTC in seconds where the user was, or null when unknown. Known where timeZone is.
   */
  timezoneOffset: number | null
  /** IANA zone, or empty. */
  timeZone: string
  values: SummaryValues<R>
  /** The raw item, for the raw endpoints. */
  raw: unknown
  /** Last change at the source, epoch milliseconds; null: the time of arrival decides. */
  modifiedAt: number | null
}

type Framed<R extends SummaryResource> = Omit<NewSummary<R>, 'resource' | 'values'>
type Unsaid = 'deviceModel' | 'calendarDate' | 'timezoneOffset' | 'timeZone' | 'modifiedAt'

/** Creates a summary in which missing values are unknown: null, an empty text or list. */
export function newSummary<R extends SummaryResource>(
  resource: R,
  frame: Omit<Framed<R>, Unsaid> & Partial<Framed<R>>,
  values: Partial<SummaryValues<R>>,
): NewSummary<R> {
  return {
    resource,
    recordId: frame.recordId,
    sourceType: frame.sourceType,
    appId: frame.appId,
    deviceModel: frame.deviceModel ?? '',
    calendarDate: frame.calendarDate ?? null,
    startedAt: frame.startedAt,
    endedAt: frame.endedAt,
    timezoneOffset: frame.timezoneOffset ?? null,
    timeZone: frame.timeZone ?? '',
    values: { ...emptyValues(resource), ...values },
    raw: frame.raw,
    modifiedAt: frame.modifiedAt ?? null,
  }
}

/** A stored summary as it is read: names of columns, with the computed local day. */
export type SummaryRow<R extends SummaryResource = SummaryResource> = SummaryValues<R> & {
  id: string
  provider: string
  source_type: string
  app_id: string
  device_model: string
  external_id: string
  /** As stored, or the local day of the start (for a sleep of its end). */
  calendar_date: string
  /** Epoch milliseconds. */
  started_at: number
  ended_at: number
  /** As stored, or that of the fallback zone; null when there is none. */
  timezone_offset: number | null
  time_zone: string
  created_at: number
  updated_at: number
}

/**
 * Channels of a workout stream (docs/contract/05-timeseries.md#streams); those with data are as
 * long as time.
 */
export const WORKOUT_STREAM_CHANNELS = [
  'cadence',
  'altitude',
  'velocity_smooth',
  'heartrate',
  'lat',
  'lng',
  'distance',
  'power',
  'resistance',
  'temperature',
] as const
export type WorkoutStreamChannel = (typeof WORKOUT_STREAM_CHANNELS)[number]

export interface WorkoutStream
  extends Partial<Record<WorkoutStreamChannel, readonly (number | null)[]>> {
  /** Unix seconds, ascending. */
  time: readonly number[]
}
