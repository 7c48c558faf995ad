import type { EventEnvironment } from '@salus/kernel/events/events'
import type { Clock } from '@salus/kernel/time/clock'

/** One sample in canonical units, ready to store. Unknown texts are empty. */
export interface Sample {
  /** Read name of the series. */
  series: string
  /** Epoch milliseconds; equal for a point. */
  startedAt: number
  endedAt: number
  /** In the unit of the series; systolic pressure for blood_pressure; 0 for a text series. */
  value: number
  /** Diastolic pressure in mmHg, otherwise 0. */
  diastolic: number
  /** Value of a text series. */
  text: string
  sourceType: string
  appId: string
  sampleType: string
  /** UUID of a workout, or empty. */
  workoutId: string
  sport: string
  /** Offset from UTC in seconds where the user was, or null when unknown. */
  timezoneOffset: number | null
  /** IANA zone, or empty. */
  timeZone: string
  /** Extra fields of the series as a JSON object, or empty. */
  extra: string
  /**
   * Last change at the source, epoch milliseconds. Of two versions the later wins in any order of
   * arrival. Null where the source does not say: the time of arrival decides.
   */
  modifiedAt: number | null
  /**
   * Set where the local time was inferred instead of reported: which version stays when the stored
   * one was written at the same time and differs only in offset or zone. Absent: the larger content
   * stays, as for any other difference.
   */
  localTimeOfEqual?: 'kept' | 'revised'
}

/** Owner and provider of samples. */
export interface SampleOwner {
  environmentId: string
  userId: string
  provider: string
}

/** Context of events beside their data. */
export interface Publication {
  environment: EventEnvironment
  user: { id: string; client_user_id: string }
  /** The user's only device of the provider, or null; undefined where it was not looked up. */
  deviceId: string | null | undefined
  /** Public address of the deployment, for logos. */
  baseUrl: string
  /** Trace that the deliveries of the events continue. */
  traceParent?: string | null | undefined
}

/** One caller's samples on their way into the store. */
export interface SampleBatch {
  owner: SampleOwner
  samples: readonly Sample[]
  /** Absent for samples without events. */
  publication: Publication | undefined
}

/** Samples of a batch that changed something, the newest version of each key. */
export interface SampleChanges {
  created: Sample[]
  updated: Sample[]
}

/** Counts of what storing samples or summaries changed. */
export interface WriteCounts {
  /** Number of new keys. */
  inserted: number
  /** Number of keys whose content was replaced by a newer one. */
  updated: number
  /** Number of keys whose stored content is the same or newer. */
  unchanged: number
}

/** Sums the counts of the parts of a call. */
export function sumCounts(parts: readonly WriteCounts[]): WriteCounts {
  const sum: WriteCounts = { inserted: 0, updated: 0, unchanged: 0 }
  for (const { inserted, updated, unchanged } of parts) {
    sum.inserted += inserted
    sum.updated += updated
    sum.unchanged += unchanged
  }
  return sum
}

/** Versions are unsigned in the store, and exact as numbers of JavaScript. */
const MOST_VERSION = 9e15

/**
 * Returns the version of what a source wrote at an instant, epoch milliseconds; times before 1970
 * have the lowest.
 */
export function versionWrittenAt(modifiedAt: number): number {
  return Math.min(Math.max(modifiedAt, 0) * 1000, MOST_VERSION)
}

/**
 * Versions of arrivals: microseconds since 1970, always rising, even when the clock stands still.
 */
export class ArrivalVersions {
  readonly #clock: Clock
  #last = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Begins a flush; all its versions are above the returned one. */
  beginFlush(): number {
    this.#last = Math.max(this.#last, this.#clock.now().getTime() * 1000)
    return this.#last
  }

  readonly next = (): number => ++this.#last
}
