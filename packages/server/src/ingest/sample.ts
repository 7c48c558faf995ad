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
   * When the source last wrote the sample, epoch milliseconds, where it says so. Of two versions the
   * later wins whatever order they arrive in. Null: the time of arrival decides.
   */
  modifiedAt: number | null
}

/** Whose samples, and from which provider. */
export interface SampleOwner {
  environmentId: string
  userId: string
  provider: string
}

/** One caller's samples on their way into the store. */
export interface SampleBatch {
  owner: SampleOwner
  samples: readonly Sample[]
}

/** What storing samples changed. */
export interface WriteCounts {
  /** Keys that were not there. */
  inserted: number
  /** Keys whose content was replaced by a newer one. */
  updated: number
  /** Keys whose stored content is the same or newer. */
  unchanged: number
}

/** Instants outside ClickHouse's DateTime64 would be stored as other instants. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2299, 11, 31)

export function isStorableInstant(epochMilliseconds: number): boolean {
  return epochMilliseconds >= EARLIEST && epochMilliseconds <= LATEST
}
