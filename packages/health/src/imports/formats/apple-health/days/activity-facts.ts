import { DAY_MS } from '@salus/contracts/time-units'
import { parseDate } from '@salus/kernel/time/instants'
import { isStorableInstant, type QuarantineReason } from '../../../../ingest/index.ts'
import { type AppleInstant, parseAppleDate } from '../apple-dates.ts'
import type { HealthRecord, TextMap } from '../health-data.ts'
import type { LocalTimes } from '../local-time/local-times.ts'
import { TIME_ZONE } from '../local-time/zone-evidence.ts'
import { BEATS_PER_MINUTE, MINUTES, numberOf, quantityOf } from '../quantities.ts'

const RESTING = 'HKQuantityTypeIdentifierRestingHeartRate'
const WALKING = 'HKQuantityTypeIdentifierWalkingHeartRateAverage'
const EXERCISE = 'HKQuantityTypeIdentifierAppleExerciseTime'

/** Record types without a series that contribute to the summary of a day. */
export const FACTS_OF_DAYS: ReadonlySet<string> = new Set([RESTING, WALKING, EXERCISE])

/** Facts of one day in an export outside the samples. */
export interface DayFacts {
  /** Attributes of the `ActivitySummary` element. */
  element: Readonly<Record<string, string>> | undefined
  restingHeartRate: number | undefined
  walkingHeartRate: number | undefined
  exerciseMinutes: number | undefined
}

/** Whether an export has a fact beside the samples, by column of a day's summary. */
const HAS_FACT = {
  heart_rate_resting: ({ restingHeartRate }: DayFacts) => restingHeartRate !== undefined,
  heart_rate_mean_walking: ({ walkingHeartRate }: DayFacts) => walkingHeartRate !== undefined,
  duration_active_second: ({ element, exerciseMinutes }: DayFacts) =>
    element !== undefined || exerciseMinutes !== undefined,
  calories_active: ({ element }: DayFacts) => element !== undefined,
} as const

/** Collects the facts of each local day, counted from 1970-01-01. */
export class ActivityFacts {
  readonly #days = new Map<number, DayFacts>()
  /** Creation time of the record that counts, by type and day. */
  readonly #madeAt = new Map<string, number>()
  /** First and last day with a fact, once all were added. */
  readonly #coverage = new Map<string, { first: number; last: number }>()
  readonly #localTimes: LocalTimes

  constructor(localTimes: LocalTimes) {
    this.#localTimes = localTimes
  }

  /** Returns the days with facts. */
  get days(): Iterable<number> {
    return this.#days.keys()
  }

  find(day: number): DayFacts | undefined {
    return this.#days.get(day)
  }

  /**
   * Whether the export has a fact of days before and after one, so that it would have that of the
   * day if there were any.
   * @param fact Column of a summary.
   */
  covers(fact: keyof typeof HAS_FACT, day: number): boolean {
    const known = this.#coverage.get(fact) ?? this.#measure(fact)
    return known.first <= day && day <= known.last
  }

  #measure(fact: keyof typeof HAS_FACT): { first: number; last: number } {
    const range = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY }
    for (const [day, facts] of this.#days) {
      if (!HAS_FACT[fact](facts)) continue
      range.first = Math.min(range.first, day)
      range.last = Math.max(range.last, day)
    }
    this.#coverage.set(fact, range)
    return range
  }

  /**
   * Adds the element of a day; returns `again` when the day had one already, of which the last
   * counts.
   */
  addElement(attributes: TextMap): 'taken' | 'again' | QuarantineReason {
    const date = parseDate(attributes.get('dateComponents') ?? '')
    const day = date === undefined ? Number.NaN : Date.parse(date) / DAY_MS
    if (Number.isNaN(day) || !isStorableInstant(day * DAY_MS)) return 'invalid_start_date'
    const facts = this.#factsOf(day)
    const outcome = facts.element === undefined ? 'taken' : 'again'
    facts.element = Object.fromEntries(structuredClone(attributes))
    return outcome
  }

  /** Adds a record; returns undefined, or the reason why it was refused. */
  addRecord(record: HealthRecord): QuarantineReason | undefined {
    const start = parseAppleDate(record.startDate)
    if (start === undefined || !isStorableInstant(start.epochMilliseconds)) {
      return 'invalid_start_date'
    }
    if (numberOf(record.value) === undefined) return 'invalid_value'
    const isExercise = record.type === EXERCISE
    const units = isExercise ? MINUTES : BEATS_PER_MINUTE
    const value = quantityOf(units, record.value, record.unit)
    if (value === null) return 'unknown_unit'
    if (value < 0 || value > 1440) return 'out_of_range'
    const { timezoneOffset } = this.#localTimes.localTimeOfRecord(
      start,
      record.metadata.get(TIME_ZONE),
    )
    const day = Math.floor((start.epochMilliseconds + timezoneOffset * 1000) / DAY_MS)
    const facts = this.#factsOf(day)
    if (isExercise) facts.exerciseMinutes = (facts.exerciseMinutes ?? 0) + value
    else if (this.#isNewest(record, start, day)) {
      facts[record.type === RESTING ? 'restingHeartRate' : 'walkingHeartRate'] = value
    }
    return undefined
  }

  /** Apple writes a day's rate again when it knows more; the last one counts. */
  #isNewest(record: HealthRecord, start: AppleInstant, day: number): boolean {
    const created = parseAppleDate(record.creationDate ?? '') ?? start
    const key = `${record.type} ${day}`
    if (created.epochMilliseconds < (this.#madeAt.get(key) ?? Number.NEGATIVE_INFINITY)) {
      return false
    }
    this.#madeAt.set(key, created.epochMilliseconds)
    return true
  }

  #factsOf(day: number): DayFacts {
    let facts = this.#days.get(day)
    if (facts === undefined) {
      facts = {
        element: undefined,
        restingHeartRate: undefined,
        walkingHeartRate: undefined,
        exerciseMinutes: undefined,
      }
      this.#days.set(day, facts)
    }
    return facts
  }
}
