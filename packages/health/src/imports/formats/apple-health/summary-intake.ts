import type { UserRow } from '@salus/accounts/users'
import { isWithinBounds, type QuarantineReason, type Sample } from '../../../ingest/index.ts'
import { parseAppleDate } from './apple-dates.ts'
import { BODY_COLUMNS, BodyMeasurements } from './body-measurements.ts'
import { ActivityFacts, FACTS_OF_DAYS } from './days/activity-facts.ts'
import { SampleDays } from './days/day-totals.ts'
import { ExportKeys } from './export-keys.ts'
import type { HealthRecord, HealthWorkout, TextMap } from './health-data.ts'
import type { LocalTimes } from './local-time/local-times.ts'
import { HEIGHT, ProfileFacts } from './profile-facts.ts'
import { SLEEP_ANALYSIS, SleepRecords } from './sleep/sleep-records.ts'
import { readWorkout, type WorkoutElement } from './workouts/workout-element.ts'

/** Returns the resource to which records without a series contribute. */
export function resourceOfFact(type: string): 'activity' | 'profile' | null {
  if (FACTS_OF_DAYS.has(type)) return 'activity'
  return type === HEIGHT ? 'profile' : null
}

type Bounds = Pick<UserRow, 'ingestion_start' | 'ingestion_end'>

/** Role of a record for summaries beside being a sample: a part of one, nothing, or faulty. */
type FactOutcome = 'part_of_summary' | 'nothing' | QuarantineReason

/**
 * Collects the data for summaries while an export is read. Most data are read from the stored
 * samples later; the memory here grows with the nights, days and workouts of a user.
 */
export class SummaryIntake {
  readonly localTimes: LocalTimes
  readonly sleep: SleepRecords
  readonly workouts: WorkoutElement[] = []
  readonly facts: ActivityFacts
  readonly sampleDays = new SampleDays()
  readonly body = new BodyMeasurements()
  readonly profile = new ProfileFacts()
  /** Keys of the samples and summaries of the export. */
  readonly keys = new ExportKeys()
  /** Time of the export in epoch milliseconds, or null. */
  exportedAt: number | null = null

  constructor(localTimes: LocalTimes) {
    this.localTimes = localTimes
    this.sleep = new SleepRecords(localTimes)
    this.facts = new ActivityFacts(localTimes)
  }

  /** Adds a record whose type has no series, or whose value is not a sample. */
  addFact(record: HealthRecord): FactOutcome {
    if (record.type === SLEEP_ANALYSIS) {
      const outcome = this.sleep.add(record)
      if (outcome === 'in_bed') return 'part_of_summary'
      return outcome === 'sample' ? 'nothing' : outcome
    }
    if (record.type === HEIGHT) return this.profile.addHeight(record) ?? 'part_of_summary'
    if (FACTS_OF_DAYS.has(record.type)) return this.facts.addRecord(record) ?? 'part_of_summary'
    return 'nothing'
  }

  /** Adds a record that is also a sample. All records of a night count, whatever the bounds. */
  addSample(record: HealthRecord, sample: Sample, bounds: Bounds): void {
    if (record.type === SLEEP_ANALYSIS) this.sleep.add(record)
    const column = Object.hasOwn(BODY_COLUMNS, record.type) ? BODY_COLUMNS[record.type] : undefined
    if (column === undefined || !isWithinBounds(bounds, sample)) return
    this.body.add(record, column, sample)
  }

  /**
   * Adds a workout; returns undefined, or the reason why it was refused.
   * @param device Device of the workout, or of its source where it names none.
   */
  addWorkout(workout: HealthWorkout, device: string | undefined): QuarantineReason | undefined {
    const element = readWorkout(workout, this.localTimes, device)
    if (typeof element === 'string') return element
    this.workouts.push(element)
    return undefined
  }

  setExportDate(attributes: TextMap): void {
    const at = parseAppleDate(attributes.get('value') ?? '')
    this.exportedAt = at?.epochMilliseconds ?? null
  }
}
