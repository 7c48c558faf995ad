import {
  type Series,
  type SeriesName,
  type SourceType,
  series as seriesOf,
} from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { parseDate, parseInstant } from '@salus/kernel/time/instants'
import type { NewDevice } from '../connections/index.ts'
import {
  type ArrivedData,
  isStorableInstant,
  type QuarantinedItem,
  type QuarantineReason,
  type Sample,
  SharedInstants,
} from '../ingest/index.ts'
import {
  ItemReader,
  isFields,
  type NewSummary,
  newSummary,
  type SummaryResource,
  summaryId,
  type WorkoutStream,
} from '../summaries/index.ts'
import {
  type Content,
  cleanText,
  contentOfNote,
  contentOfPressure,
  contentOfSample,
} from './sample-content.ts'
import type {
  SampleFrame,
  VendorBloodPressure,
  VendorInstant,
  VendorNote,
  VendorSample,
  VendorSleep,
  VendorSummary,
  VendorWorkout,
} from './vendor-records.ts'
import { sleepValues, workoutValues } from './vendor-values.ts'

const LONGEST_SLEEP_MS = 7 * DAY_MS

/**
 * Collects the samples and summaries of a page in the units of Salus. Invalid records are
 * quarantined without affecting others, as with uploads.
 */
export class PageData {
  readonly samples: Sample[] = []
  readonly summaries: NewSummary[] = []
  readonly streams = new Map<string, WorkoutStream>()
  readonly quarantined: QuarantinedItem[] = []
  readonly #devices = new Map<string, NewDevice>()
  readonly #instants = new SharedInstants()
  readonly #owner: { userId: string; provider: string }

  constructor(owner: { userId: string; provider: string }) {
    this.#owner = owner
  }

  /**
   * Returns a reader of the fields of a record. An invalid record is quarantined, and undefined is
   * returned. Call `isSound` after all fields were read.
   */
  read(resource: string, record: unknown): ItemReader | undefined {
    if (isFields(record)) return new ItemReader(record)
    this.quarantine(resource, 'not_an_object', record)
    return undefined
  }

  /** Whether all fields that were read are valid; otherwise the record is quarantined. */
  isValid(resource: string, { problem }: ItemReader, record: unknown): boolean {
    if (problem !== undefined) this.quarantine(resource, problem, record)
    return problem === undefined
  }

  /**
   * Reads a date-time of the vendor; quarantines the record and returns undefined when it is
   * invalid.
   */
  instant(
    resource: string,
    text: unknown,
    record: unknown,
    problem: QuarantineReason = 'invalid_start_date',
  ): VendorInstant | undefined {
    const parsed = typeof text === 'string' ? parseInstant(text) : undefined
    if (parsed !== undefined && isStorableInstant(parsed.epochMilliseconds)) {
      return { at: parsed.epochMilliseconds, offset: parsed.offsetSeconds }
    }
    this.quarantine(resource, problem, record)
    return undefined
  }

  /** Reads a calendar date; quarantines the record and returns undefined when it is invalid. */
  date(resource: string, text: unknown, record: unknown): string | undefined {
    const date = typeof text === 'string' ? parseDate(text) : undefined
    if (date !== undefined && isStorableInstant(Date.parse(date))) return date
    this.quarantine(resource, 'invalid_date', record)
    return undefined
  }

  /** @param record The record to quarantine when the value cannot be stored. */
  addSample(name: SeriesName, sample: VendorSample, record: unknown = sample): void {
    const series = seriesOf(name)
    this.#add(series, sample, contentOfSample(series, sample), record)
  }

  addBloodPressure(pressure: VendorBloodPressure, record: unknown = pressure): void {
    const series = seriesOf('blood_pressure')
    this.#add(series, pressure, contentOfPressure(series, pressure), record)
  }

  addNote(note: VendorNote, record: unknown = note): void {
    const series = seriesOf('note')
    this.#add(series, note, contentOfNote(series, note), record)
  }

  /**
   * @returns the id of the summary, by which a workout's samples and stream refer to it; undefined
   *   when it is quarantined
   */
  addSummary<R extends SummaryResource>(
    resource: R,
    summary: VendorSummary<R>,
  ): string | undefined {
    const { start, end = start, values, raw, ...frame } = summary
    const problem = wrongTimes(start.at, end.at)
    if (problem !== undefined) {
      this.quarantine(resource, problem, raw)
      return undefined
    }
    const local = resource === 'sleep' ? end : start
    const made = newSummary(
      resource,
      {
        sourceType: 'unknown',
        appId: '',
        calendarDate: null,
        ...frame,
        recordId: cleanText(frame.recordId),
        deviceModel: cleanText(frame.deviceModel ?? ''),
        startedAt: Math.round(start.at),
        endedAt: Math.round(end.at),
        timezoneOffset: local.offset,
        raw,
      },
      values,
    )
    this.summaries.push(made as unknown as NewSummary)
    return summaryId(this.#owner, made)
  }

  /** Adds a sleep with its stages, which supply what the vendor does not report. */
  addSleep({ stages = [], readings = {}, ...sleep }: VendorSleep): string | undefined {
    if (sleep.end.at - sleep.start.at > LONGEST_SLEEP_MS) {
      this.quarantine('sleep', 'out_of_range', sleep.raw)
      return undefined
    }
    return this.addSummary('sleep', { ...sleep, values: sleepValues(sleep, stages, readings) })
  }

  addWorkout({ sport, heartRates = [], ...workout }: VendorWorkout): string | undefined {
    return this.addSummary('workouts', {
      ...workout,
      values: workoutValues(workout, sport, heartRates),
    })
  }

  addStream(workoutId: string, stream: WorkoutStream): void {
    this.streams.set(workoutId, stream)
  }

  /** Adds a device that the vendor names. */
  addDevice(device: {
    sourceType: SourceType
    manufacturer: string | null
    model: string | null
    version: string | null
    deviceId: string | null
  }): void {
    const clean = (text: string | null) => text && cleanText(text)
    const [manufacturer, model] = [clean(device.manufacturer), clean(device.model)]
    const deviceId = clean(device.deviceId)
    const { sourceType } = device
    const identity = deviceId ?? JSON.stringify([manufacturer, model, sourceType])
    this.#devices.set(identity, {
      provider: this.#owner.provider,
      source_type: sourceType,
      app_id: null,
      device_manufacturer: manufacturer,
      device_model: model,
      device_version: clean(device.version),
      device_id: deviceId,
      identity,
    })
  }

  quarantine(resource: string, reason: QuarantineReason, item: unknown): void {
    this.quarantined.push({ resource, reason, item })
  }

  /** Returns everything collected, as the port for data takes it. */
  toArrivedData(): ArrivedData {
    const { samples, summaries, streams, quarantined } = this
    return { samples, summaries, streams, quarantined, devices: [...this.#devices.values()] }
  }

  #add(
    series: Series,
    frame: SampleFrame,
    content: Content | QuarantineReason,
    record: unknown,
  ): void {
    const { start, end = start, workoutId = '', sport = '', recordId = '' } = frame
    const sound = wrongTimes(start.at, end.at) ?? content
    if (typeof sound === 'string') {
      this.quarantine(series.name, sound, record)
      return
    }
    const startedAt = Math.round(start.at)
    const sample: Sample = {
      series: series.name,
      startedAt,
      endedAt: series.shape === 'interval' ? Math.round(end.at) : startedAt,
      value: sound.value ?? 0,
      diastolic: sound.diastolic ?? 0,
      text: sound.text ?? '',
      sourceType: frame.sourceType ?? 'unknown',
      appId: '',
      sampleType: sound.sampleType ?? '',
      workoutId: cleanText(workoutId),
      sport: cleanText(sport),
      timezoneOffset: start.offset,
      timeZone: '',
      extra: sound.extra ?? '',
      modifiedAt: frame.modifiedAt ?? null,
    }
    this.samples.push(this.#instants.separateSample(sample, recordId))
  }
}

function wrongTimes(startedAt: number, endedAt: number): QuarantineReason | undefined {
  if (!isStorableInstant(startedAt)) return 'invalid_start_date'
  if (endedAt === startedAt) return undefined
  if (!isStorableInstant(endedAt)) return 'invalid_end_date'
  return endedAt < startedAt ? 'end_before_start' : undefined
}
