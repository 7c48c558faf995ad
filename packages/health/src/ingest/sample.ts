import type { EventEnvironment } from '@salus/kernel/events/events'
import type { Clock } from '@salus/kernel/time/clock'

/** One sample in canonical units, ready to be stored. Texts that are not known are empty. */
export interface Sample {
  /** Read name of the series. */
  series: string
  /** Epoch milliseconds; equal for a point. */
  startedAt: number
  endedAt: number
  /** In the unit of the series; systolic pressure for blood_pressure; 0 for a text series. */
  value: number
  /** Diastolic pressure in mmHg, else 0. */
  diastolic: number
  /** Value of a text series. */
  text: string
  sourceType: string
  appId: string
  sampleType: string
  /** UUID of a workout, or empty. */
  workoutId: string
  sport: string
  /** Seconds east of UTC where the person was, or null when unknown. */
  timezoneOffset: number | null
  /** IANA zone, or empty. */
  timeZone: string
  /** Extra fields of the series as a JSON object, or empty. */
  extra: string
  /**
   * When the source last wrote the sample, epoch milliseconds, where it says so. Of two versions
   * the later wins whatever order they arrive in. Null: the time of arrival decides.
   */
  modifiedAt: number | null
  /**
   * Where a source does not know the offset and somebody else told it: what becomes of it when the
   * stored version was written at the same time and differs in offset or zone alone. Absent: the
   * larger content stays, as where anything else differs.
   */
  localTimeOfEqual?: 'kept' | 'revised'
}

/** Whose samples, and from which provider. */
export interface SampleOwner {
  environmentId: string
  userId: string
  provider: string
}

/** What events need to know of whom they tell about, beside the data. */
export interface Publication {
  environment: EventEnvironment
  user: { id: string; client_user_id: string }
  /** The person's only device of the provider, or null; undefined where it was not looked up. */
  deviceId: string | null | undefined
  /** Public address of the deployment, for logos. */
  baseUrl: string
  /** What the deliveries of the events continue. */
  traceParent?: string | null | undefined
}

/** One caller's samples on their way into the store. */
export interface SampleBatch {
  owner: SampleOwner
  samples: readonly Sample[]
  /** Without it no event tells of them. */
  publication: Publication | undefined
}

/** Samples of a batch that changed something, the newest version of each key. */
export interface SampleChanges {
  created: Sample[]
  updated: Sample[]
}

/** What storing samples or summaries changed. */
export interface WriteCounts {
  /** Keys that were not there. */
  inserted: number
  /** Keys whose content was replaced by a newer one. */
  updated: number
  /** Keys whose stored content is the same or newer. */
  unchanged: number
}

/** What the parts of a call changed together. */
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
 * The version of what a source wrote at an instant, epoch milliseconds: a time before 1970 is the
 * oldest.
 */
export function versionWrittenAt(modifiedAt: number): number {
  return Math.min(Math.max(modifiedAt, 0) * 1000, MOST_VERSION)
}

/** Versions of arrivals: microseconds since 1970, always rising, also when the clock stands. */
export class ArrivalVersions {
  readonly #clock: Clock
  #last = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Begins a flush, all of whose versions are above the one returned. */
  begin(): number {
    this.#last = Math.max(this.#last, this.#clock.now().getTime() * 1000)
    return this.#last
  }

  readonly next = (): number => ++this.#last
}
