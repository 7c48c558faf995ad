import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import {
  beginEpoch,
  giveUpDayWrites,
  hasOpenRemovals,
  removeUnreadDays,
} from './day-writes.global.repository.ts'

/** Age at which an open write counts as left over from a crash; no insert takes that long. */
const GIVEN_UP_MS = 10 * MINUTE_MS
/** How long an unread copy is kept. */
const UNREAD_MS = 3 * DAY_MS
/** Number of days removed at a time. */
const MOST_REMOVED = 1_000

/**
 * Removes unread copies of days, gives up writes that a crash left over, and begins the epoch that
 * a crash of the database ended.
 */
export function dayCacheJobs({
  db,
  clickhouse,
  clock,
}: Pick<Stores, 'db' | 'clickhouse' | 'clock'>): JobDefinitions {
  return {
    handlers: {
      async clean_day_cache(_payload, signal) {
        const now = clock.now().getTime()
        // What was being written when the database crashed has ended, or counts as left over, then.
        await beginEpoch(db, new Date(now + GIVEN_UP_MS))
        // Only copies and versions need this, and a cluster has neither.
        const isRemoving = !clickhouse.cluster && (await hasOpenRemovals(clickhouse))
        if (!isRemoving) await giveUpDayWrites(db, new Date(now - GIVEN_UP_MS))
        const before = new Date(now - UNREAD_MS)
        let removed = MOST_REMOVED
        while (removed === MOST_REMOVED && !signal.aborted) {
          removed = await removeUnreadDays(db, before, MOST_REMOVED)
        }
      },
    },
    schedule: '*/5 * * * * clean_day_cache',
  }
}
