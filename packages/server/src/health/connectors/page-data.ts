import { parseInstant } from '../../platform/time/instants.ts'
import type { NewDevice } from '../connections/index.ts'
import {
  type ArrivedData,
  isInRange,
  isStorableInstant,
  type QuarantinedItem,
  type QuarantineReason,
  type Sample,
} from '../ingest/index.ts'
import {
  convert,
  type Series,
  type SeriesName,
  type SourceType,
  series as seriesOf,
} from '../series/index.ts'
import {
  type NewSummary,
  newSummary,
  type SummaryResource,
  type SummaryValues,
  summaryId,
  type WorkoutStream,
} from '../summaries/index.ts'

/** An instant, and the offset of the person where the vendor's text says it. */
export interface VendorInstant {
  /** Epoch milliseconds. */
  at: number
  /** Seconds east of UTC, or null. */
  offset: number | null
}

/** One value as a vendor tells it. */
export interface VendorSample {
  start: VendorInstant
  /** For what lasts; a point has none. */
  end?: VendorInstant
  value: number
  /** Label of a unit that the series takes (docs/series.md). */
  unit: string
  sourceType?: SourceType
  /** Type of the sample, where the series has some. */
  type?: string
  workoutId?: string
  sport?: string
  /** When the vendor last wrote it, epoch milliseconds; else the later arrival wins. */
  modifiedAt?: number
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

/**
 * Collects what the records of a page are turned into, in the units of Salus. What cannot be stored is quarantined
 * and fails nothing else, as with uploads.
 */
export class PageData {
  readonly samples: Sample[] = []
  readonly summaries: NewSummary[] = []
  readonly streams = new Map<string, WorkoutStream>()
  readonly quarantined: QuarantinedItem[] = []
  readonly #devices = new Map<string, NewDevice>()
  readonly #owner: { userId: string; provider: string }

  constructor(owner: { userId: string; provider: string }) {
    this.#owner = owner
  }

  /** Reads a date-time of the vendor; quarantines the record and returns undefined when it is none. */
  instant(resource: string, text: unknown, record: unknown): VendorInstant | undefined {
    const parsed = typeof text === 'string' ? parseInstant(text) : undefined
    if (parsed !== undefined && isStorableInstant(parsed.epochMilliseconds)) {
      return { at: parsed.epochMilliseconds, offset: parsed.offsetSeconds }
    }
    this.quarantine(resource, 'invalid_start_date', record)
    return undefined
  }

  /** @param record What is quarantined when the value cannot be stored. */
  addSample(name: SeriesName, sample: VendorSample, record: unknown = sample): void {
    const series = seriesOf(name)
    const { start, end = start, value: given } = sample
    const value = convert(series.units, sample.unit, given) ?? Number.NaN
    const problem = problemOf(series, sample.unit, value, start.at, end.at)
    if (problem !== undefined) {
      this.quarantine(name, problem, record)
      return
    }
    this.samples.push({
      series: name,
      startedAt: start.at,
      endedAt: series.shape === 'interval' ? end.at : start.at,
      value,
      diastolic: 0,
      text: '',
      sourceType: sample.sourceType ?? 'unknown',
      appId: '',
      sampleType: sample.type ?? '',
      workoutId: sample.workoutId ?? '',
      sport: sample.sport ?? '',
      timezoneOffset: start.offset,
      timeZone: '',
      extra: '',
      modifiedAt: sample.modifiedAt ?? null,
    })
  }

  /** @returns the id under which the summary is stored, by which a workout's samples and stream name it */
  addSummary<R extends SummaryResource>(resource: R, summary: VendorSummary<R>): string {
    const { start, end = start, values, ...frame } = summary
    const local = resource === 'sleep' ? end : start
    const made = newSummary(
      resource,
      {
        sourceType: 'unknown',
        appId: '',
        calendarDate: null,
        ...frame,
        startedAt: start.at,
        endedAt: end.at,
        timezoneOffset: local.offset,
        modifiedAt: summary.modifiedAt ?? null,
      },
      values,
    )
    this.summaries.push(made as unknown as NewSummary)
    return summaryId(this.#owner, made)
  }

  addStream(workoutId: string, stream: WorkoutStream): void {
    this.streams.set(workoutId, stream)
  }

  /** A device that the vendor names. */
  addDevice(device: {
    sourceType: SourceType
    manufacturer: string | null
    model: string | null
    version: string | null
    deviceId: string | null
  }): void {
    const { sourceType, manufacturer, model, version, deviceId } = device
    const identity = deviceId ?? JSON.stringify([manufacturer, model, sourceType])
    this.#devices.set(identity, {
      provider: this.#owner.provider,
      source_type: sourceType,
      app_id: null,
      device_manufacturer: manufacturer,
      device_model: model,
      device_version: version,
      device_id: deviceId,
      identity,
    })
  }

  quarantine(resource: string, reason: QuarantineReason, item: unknown): void {
    this.quarantined.push({ resource, reason, item })
  }

  /** All of it, as the port for data takes it. */
  arrived(): ArrivedData {
    const { samples, summaries, streams, quarantined } = this
    return { samples, summaries, streams, quarantined, devices: [...this.#devices.values()] }
  }
}

function problemOf(
  series: Series,
  unit: string,
  value: number,
  startedAt: number,
  endedAt: number,
): QuarantineReason | undefined {
  if (!Object.hasOwn(series.units, unit)) return 'unknown_unit'
  if (!isInRange(series, value)) return 'out_of_range'
  return endedAt < startedAt ? 'end_before_start' : undefined
}
