import { RecordClock } from '../../src/health/imports/apple-health/clock/record-clock.ts'

/** The clock of a person of whom nothing is known beside the times of the export. */
export const clockOfNobody = (): RecordClock =>
  new RecordClock(
    { marks: [], hasOwnOffsets: false, madeAt: undefined },
    { fallback_time_zone: null, fallback_time_zone_source: null },
  )
