import type { ReceivedContent } from '../results.tables.ts'

/** What orders reports, and what they say about one result; later fields decide between equals. */
export interface Order {
  /** A preliminary value never replaces a final one. */
  isFinal: boolean
  /** The laboratory's time in milliseconds; that of receipt where it gives none. */
  time: number
  /** Status of the result, then of the report. */
  rank: number
  reportRank: number
  /** Position of arrival. */
  arrival: number
}

/** A report with its time. */
export interface Dated {
  message: ReceivedContent
  order: Order
}

const REPORT_RANKS = { partial: 0, final: 1, corrected: 2 }

/** Dates reports by the laboratory's time of the report, else of its newest test. */
export function dateReports(received: readonly { message: ReceivedContent; at: Date }[]): Dated[] {
  return received.map(({ message, at }, arrival) => ({
    message,
    order: {
      isFinal: true,
      time: reportTime(message) ?? at.getTime(),
      rank: 0,
      reportRank: REPORT_RANKS[message.status],
      arrival,
    },
  }))
}

function reportTime({ reported_at: own, tests = {} }: ReceivedContent): number | undefined {
  if (own !== null) return Date.parse(own.timestamp)
  const times = Object.values(tests).flatMap(({ reported_at: at }) =>
    at === null ? [] : [Date.parse(at.timestamp)],
  )
  return times.length === 0 ? undefined : Math.max(...times)
}

/** Compares for sorting, the older first. */
export function byOrder(a: Order, b: Order): number {
  return (
    Number(a.isFinal) - Number(b.isFinal) ||
    a.time - b.time ||
    a.rank - b.rank ||
    a.reportRank - b.reportRank ||
    a.arrival - b.arrival
  )
}

/** Returns the newest report. @throws Error without any */
export function newestOf(reports: readonly Dated[]): Dated {
  const newest = reports.toSorted((a, b) => byOrder(b.order, a.order))[0]
  if (newest === undefined) throw new Error('There is no report.')
  return newest
}
