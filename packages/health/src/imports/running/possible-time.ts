import { DAY_MS } from '@salus/contracts/time-units'

/**
 * Devices whose clock was never set write 1901, 1970, 1980 (GPS) or 1989 (FIT); none of them is
 * older than this.
 */
const FIRST_RECORD = Date.UTC(1995, 0)

/**
 * Whether something can have been recorded at an instant, epoch milliseconds. A local time without
 * an offset may be up to 14 hours ahead.
 */
export const isPossibleTime = (at: number, now: Date): boolean =>
  at >= FIRST_RECORD && at <= now.getTime() + DAY_MS
