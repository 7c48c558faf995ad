import { type Series, type SeriesName, series as seriesOf } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { parseDate, startOfUtcDay } from '@salus/kernel/time/instants'
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
  readExactKey,
  type SummaryResource,
  summaryId,
  type WorkoutStream,
} from '../summaries/index.ts'
import { AddedSummary } from './added-summary.ts'
import {
  type Content,
  cleanText,
  contentOfNote,
  contentOfPressure,
  contentOfSample,
  wrongTimes,
} from './sample-content.ts'
import { newDevice, type VendorDevice } from './vendor-device.ts'
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
import { readInstant, readLocalInstant } from './vendor-times.ts'
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
  readonly #removals = new Map<SummaryResource, Set<string>>()
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
    if (isFields(record)) return new ItemReader(record, readExactKey)
    this.quarantine(resource, 'not_an_object', record)
    return undefined
  }

  /** Whether all fields that were read are valid; otherwise the record is quarantined. */
  isValid(resource: string, { problem }: ItemReader, record: unknown): boolean {
    if (problem !== undefined) this.quarantine(resource, problem, record)
    return problem === undefined
  }

  /**
   * Reads a date-time with an offset or `Z`; quarantines the record and returns undefined when it
   * is invalid. Local time, which has neither, is read by `localInstant`.
   */
  instant(
    resource: string,
    text: unknown,
    record: unknown,
    problem: QuarantineReason = 'invalid_start_date',
  ): VendorInstant | undefined {
    return this.#storable(resource, readInstant(text), record, problem)
  }

  /**
   * Reads a local date-time without an offset, such as `2026-03-01T18:05:30`; quarantines the
   * record and returns undefined when it is invalid.
   * @param place Offset from UTC in seconds, or IANA zone. Null where neither is known: then the
   *   local time is stored as if it were UTC (docs/contract/01-conventions.md#base-rules).
   */
  localInstant(
    resource: string,
    text: unknown,
    place: number | string | null,
    record: unknown,
    problem: QuarantineReason = 'invalid_start_date',
  ): VendorInstant | undefined {
    return this.#storable(resource, readLocalInstant(text, place), record, problem)
  }

  /**
   * Reads an instant that is a number; quarantines the record and returns undefined when it is
   * invalid.
   * @param unit Unit of the time since 1970.
   * @param offset Offset from UTC in seconds, or null.
   */
  epochInstant(
    resource: string,
    value: unknown,
    { unit, offset }: { unit: 's' | 'ms'; offset: number | null },
    record: unknown,
    problem: QuarantineReason = 'invalid_start_date',
  ): VendorInstant | undefined {
    const at = typeof value === 'number' ? value * (unit === 's' ? 1000 : 1) : Number.NaN
    return this.#storable(resource, { at, offset }, record, problem)
  }

  #storable(
    resource: string,
    instant: VendorInstant | undefined,
    record: unknown,
    problem: QuarantineReason,
  ): VendorInstant | undefined {
    if (instant !== undefined && isStorableInstant(instant.at)) return instant
    this.quarantine(resource, problem, record)
    return undefined
  }

  /** Reads a calendar date; quarantines the record and returns undefined when it is invalid. */
  date(resource: string, text: unknown, record: unknown): string | undefined {
    const date = typeof text === 'string' ? parseDate(text) : undefined
    if (date !== undefined && isStorableInstant(startOfUtcDay(date))) return date
    this.quarantine(resource, 'invalid_date', record)
    return undefined
  }

  /**
   * @param record The record to quarantine when the value cannot be stored; or a function that
   *   returns it, for files of millions of records.
   */
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
   * @param values Instead of those of the summary.
   * @returns the summary, by whose id a workout's samples and stream refer to it; undefined when it
   *   is quarantined
   */
  addSummary<R extends SummaryResource>(
    resource: R,
    summary: VendorSummary<R>,
    values = summary.values,
  ): AddedSummary | undefined {
    const { start, end = start, raw, appId = '' } = summary
    const problem = wrongTimes(start.at, end.at)
    if (problem !== undefined) {
      this.quarantine(resource, problem, raw)
      return undefined
    }
    const made = newSummary(
      resource,
      {
        recordId: cleanText(summary.recordId),
        sourceType: summary.sourceType ?? 'unknown',
        appId: cleanText(appId),
        deviceModel: cleanText(summary.deviceModel ?? ''),
        calendarDate: summary.calendarDate ?? null,
        startedAt: Math.round(start.at),
        endedAt: Math.round(end.at),
        timezoneOffset: (resource === 'sleep' ? end : start).offset,
        timeZone: summary.timeZone ?? '',
        raw,
        modifiedAt: summary.modifiedAt ?? null,
      },
      values,
    )
    this.summaries.push(made as unknown as NewSummary)
    return new AddedSummary(this.#owner, made)
  }

  /** Adds a sleep with its stages, which supply what the vendor does not report. */
  addSleep(sleep: VendorSleep): AddedSummary | undefined {
    if (sleep.end.at - sleep.start.at > LONGEST_SLEEP_MS) {
      this.quarantine('sleep', 'out_of_range', sleep.raw)
      return undefined
    }
    return this.addSummary('sleep', sleep, sleepValues(sleep))
  }

  addWorkout(workout: VendorWorkout): AddedSummary | undefined {
    return this.addSummary('workouts', workout, workoutValues(workout))
  }

  addStream(workoutId: string, stream: WorkoutStream): void {
    this.streams.set(workoutId, stream)
  }

  /**
   * Removes a record that the vendor deleted. One of the same id that is added later is stored
   * again.
   * @param recordId As it was passed when the record was added.
   */
  removeSummary(resource: SummaryResource, recordId: string): void {
    const ids = this.#removals.get(resource) ?? new Set<string>()
    this.#removals.set(resource, ids)
    ids.add(summaryId(this.#owner, { resource, appId: '', recordId: cleanText(recordId) }))
  }

  /** Adds a device that the vendor names. */
  addDevice(device: VendorDevice): void {
    const made = newDevice(this.#owner.provider, device)
    this.#devices.set(made.identity, made)
  }

  quarantine(resource: string, reason: QuarantineReason, item: unknown): void {
    const made: unknown = typeof item === 'function' ? item() : item
    this.quarantined.push({ resource, reason, item: made })
  }

  /** Returns everything collected and begins anew, for data that are stored in lots. */
  takeArrivedData(): ArrivedData {
    const data = this.toArrivedData()
    const taken = {
      ...data,
      samples: this.samples.splice(0),
      summaries: this.summaries.splice(0),
      streams: new Map(this.streams),
      quarantined: this.quarantined.splice(0),
    }
    this.streams.clear()
    this.#removals.clear()
    this.#devices.clear()
    this.#instants.forgetEarlier()
    return taken
  }

  /** Returns everything collected, as the port for data takes it. */
  toArrivedData(): ArrivedData {
    const { samples, summaries, streams, quarantined } = this
    const removals = [...this.#removals].map(([resource, ids]) => ({ resource, ids: [...ids] }))
    const devices = [...this.#devices.values()]
    return { samples, summaries, streams, removals, quarantined, devices }
  }

  #add(
    series: Series,
    frame: SampleFrame,
    content: Content | QuarantineReason,
    record: unknown,
  ): void {
    const { start, end = start, appId = '', workoutId = '', sport = '', recordId = '' } = frame
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
      appId: cleanText(appId),
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
