/**
 * `in_bed` is the time from lying down to getting up, not a stage. `asleep` is sleep without a
 * known stage.
 */
export type SleepRecordStage = 'in_bed' | 'asleep' | 'light' | 'deep' | 'rem' | 'awake'
export type SleepStage = Exclude<SleepRecordStage, 'in_bed'>

/** One device or app. */
export interface SleepSource {
  sourceType: string
  appId: string
}

/** A record of one source about one interval. */
export interface SleepRecord extends SleepSource {
  stage: SleepRecordStage
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number
  /** Offset from UTC in seconds, or null when unknown. */
  timezoneOffset: number | null
  /** IANA zone, or empty. */
  timeZone: string
}

export type StagedRecord = SleepRecord & { stage: SleepStage }

/** An interval of one stage. */
export interface StagedSegment {
  stage: SleepStage
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number
}

/** A night or a nap. */
export interface SleepSession extends SleepSource {
  /** Lying down and getting up where known, otherwise first and last stage. Epoch milliseconds. */
  startedAt: number
  endedAt: number
  /** First and last stage. */
  firstStageAt: number
  lastStageAt: number
  /** Offset where the user woke up. */
  timezoneOffset: number | null
  timeZone: string
  /** Ordered, not overlapping; touching neighbors of one stage are joined. */
  stages: readonly StagedSegment[]
  /** From lying down to the first sleep; null where no record has lying down. */
  latencySeconds: number | null
}
