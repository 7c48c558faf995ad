import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'

const QUARTER_MS = 15 * MINUTE_MS
const OVERALL = [200, 2000] as const
const READS = [100, 1000] as const

interface Count {
  quarter: number
  day: number
  ofQuarter: number
  ofDay: number
}

/**
 * Counts requests that read, of each app. Windows begin at each quarter of an hour, and at midnight
 * UTC.
 */
export class Usage {
  readonly #counts = new Map<string, Count>()

  /** @returns the headers of every answer, and whether the request is within the limits */
  take(clientId: string, now: number): { headers: Record<string, string>; isAllowed: boolean } {
    const [quarter, day] = [Math.floor(now / QUARTER_MS), Math.floor(now / DAY_MS)]
    const before = this.#counts.get(clientId)
    const count = {
      quarter,
      day,
      ofQuarter: (before?.quarter === quarter ? before.ofQuarter : 0) + 1,
      ofDay: (before?.day === day ? before.ofDay : 0) + 1,
    }
    if (this.#counts.size > 10_000) this.#counts.clear()
    this.#counts.set(clientId, count)
    const usage = `${count.ofQuarter},${count.ofDay}`
    return {
      headers: headersOf(usage),
      isAllowed: count.ofQuarter <= READS[0] && count.ofDay <= READS[1],
    }
  }
}

export const headersOf = (usage: string): Record<string, string> => ({
  'x-ratelimit-limit': OVERALL.join(','),
  'x-ratelimit-usage': usage,
  'x-readratelimit-limit': READS.join(','),
  'x-readratelimit-usage': usage,
})
