import type { ReportedTime } from '@salus/contracts/lab-gateway'
import { readTime } from '@salus/hl7v2'

/** Reads a time that is at least as precise as a day; null for anything else. */
export function readReportedTime(text: string, zone: string): ReportedTime | null {
  const time = readTime(text, { zone })
  if (time === undefined || time.precision === 'year' || time.precision === 'month') return null
  return { timestamp: new Date(time.at).toISOString(), timezone_offset: time.offsetSeconds }
}

/** Returns the latest of the times; null without any. */
export function latestOf(times: readonly (ReportedTime | null)[]): ReportedTime | null {
  return times.reduce(
    (latest, time) =>
      time !== null && (latest === null || time.timestamp > latest.timestamp) ? time : latest,
    null,
  )
}
