/**
 * `in_bed` says when the person lay down and got up; it is no stage. `asleep` is sleep without a
 * stage.
 */
export type SleepRecordStage = 'in_bed' | 'asleep' | 'light' | 'deep' | 'rem' | 'awake'
export type SleepStage = Exclude<SleepRecordStage, 'in_bed'>

/** One device or app. */
export interface SleepSource {
  sourceType: string
  appId: string
}

/** What one source says about one stretch of time. */
export interface SleepRecord extends SleepSource {
  stage: SleepRecordStage
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number
  /** Seconds east of UTC, or null when unknown. */
  timezoneOffset: number | null
  /** IANA zone, or empty. */
  timeZone: string
}

export type StagedRecord = SleepRecord & { stage: SleepStage }

/** A stretch of one stage. */
export interface StagedSegment {
  stage: SleepStage
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number
}

/** A night or a nap. */
export interface SleepSession extends SleepSource {
  /**
   * Lying down and getting up where that is known, else first and last stage. Epoch milliseconds.
   */
  startedAt: number
  endedAt: number
  /** First and last stage. */
  firstStageAt: number
  lastStageAt: number
  /** Where the person woke up. */
  timezoneOffset: number | null
  timeZone: string
  /** Ordered, not overlapping; neighbors of one stage that touch are one. */
  stages: readonly StagedSegment[]
  /** From lying down to the first sleep; null where nothing tells of lying down. */
  latencySeconds: number | null
}
