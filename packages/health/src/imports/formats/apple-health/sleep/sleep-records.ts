import { HOUR_MS } from '@salus/contracts/time-units'
import { isStorableInstant, type QuarantineReason } from '../../../../ingest/index.ts'
import type { SleepRecord, SleepRecordStage } from '../../../../summaries/index.ts'
import { parseAppleDate } from '../apple-dates.ts'
import type { HealthRecord } from '../health-data.ts'
import type { LocalTimes } from '../local-time/local-times.ts'
import { TIME_ZONE } from '../local-time/zone-evidence.ts'
import { sourceOfRecord } from '../record-source.ts'

export const SLEEP_ANALYSIS = 'HKCategoryTypeIdentifierSleepAnalysis'

const STAGES: Readonly<Record<string, SleepRecordStage>> = {
  HKCategoryValueSleepAnalysisInBed: 'in_bed',
  HKCategoryValueSleepAnalysisAsleep: 'asleep',
  HKCategoryValueSleepAnalysisAsleepUnspecified: 'asleep',
  HKCategoryValueSleepAnalysisAsleepCore: 'light',
  HKCategoryValueSleepAnalysisAsleepDeep: 'deep',
  HKCategoryValueSleepAnalysisAsleepREM: 'rem',
  HKCategoryValueSleepAnalysisAwake: 'awake',
}

/** No sleep is longer; longer records are a fault of an app, and would swallow whole nights. */
const LONGEST_MS = 24 * HOUR_MS

/** Collects the sleep records of an export. They fit in memory: some dozen a night. */
export class SleepRecords {
  readonly records: SleepRecord[] = []
  readonly #localTimes: LocalTimes

  constructor(localTimes: LocalTimes) {
    this.#localTimes = localTimes
  }

  /** Adds a record. Returns whether it is a sample or only time in bed, or why it was refused. */
  add(record: HealthRecord): 'sample' | 'in_bed' | QuarantineReason {
    const value = record.value ?? ''
    const stage = Object.hasOwn(STAGES, value) ? STAGES[value] : undefined
    if (stage === undefined) return 'sample'
    const start = parseAppleDate(record.startDate)
    if (start === undefined || !isStorableInstant(start.epochMilliseconds)) {
      return 'invalid_start_date'
    }
    const end = parseAppleDate(record.endDate)
    if (end === undefined || !isStorableInstant(end.epochMilliseconds)) return 'invalid_end_date'
    if (end.epochMilliseconds < start.epochMilliseconds) return 'end_before_start'
    if (end.epochMilliseconds - start.epochMilliseconds > LONGEST_MS) {
      return stage === 'in_bed' ? 'out_of_range' : 'sample'
    }
    const isUserEntered = record.metadata.get('HKWasUserEntered') === '1'
    // A stage is already counted as a sample. The day of a night is the day of its end.
    const zone = record.metadata.get(TIME_ZONE)
    const isCounted = stage !== 'in_bed'
    const localTime = isCounted
      ? this.#localTimes.localTimeAt(end, zone)
      : this.#localTimes.localTimeOfRecord(end, zone)
    this.records.push({
      ...sourceOfRecord(record.sourceName, record.device, isUserEntered),
      stage,
      startedAt: start.epochMilliseconds,
      endedAt: end.epochMilliseconds,
      timezoneOffset: localTime.timezoneOffset,
      timeZone: localTime.timeZone,
    })
    return stage === 'in_bed' ? 'in_bed' : 'sample'
  }
}
