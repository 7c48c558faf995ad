import { LocalTimes } from '../../../health/src/imports/formats/apple-health/local-time/local-times.ts'

/** Local times of a person of whom nothing is known beside the times of the export. */
export const unknownLocalTimes = (): LocalTimes =>
  new LocalTimes(
    { observations: [], hasOwnOffsets: false, madeAt: undefined },
    { fallback_time_zone: null, fallback_time_zone_source: null },
  )
