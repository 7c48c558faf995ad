import { DAY_MS } from '@salus/contracts/time-units'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import { removeGivenUpJobs } from './job-queue.global.repository.ts'
import type { JobDefinitions } from './jobs.ts'

/** Long enough for an operator to look, fix the cause and retry. */
const KEPT_DAYS = 30
/** Maximum number of kept jobs, so that a flood of failures does not fill the table meanwhile. */
const MOST_KEPT = 10_000
const AT_ONCE = 1_000

/**
 * Removes jobs once a day that were given up long ago, because the queue would keep them forever.
 */
export function givenUpJobs(context: { db: Db; clock: Clock; log: Logger }): JobDefinitions {
  return {
    handlers: { forget_given_up_jobs: (_payload, signal) => forgetAll(context, signal) },
    schedule: '23 2 * * * forget_given_up_jobs',
  }
}

async function forgetAll(
  { db, clock, log }: { db: Db; clock: Clock; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const at = clock.now()
  const before = new Date(at.getTime() - KEPT_DAYS * DAY_MS)
  while (!signal.aborted) {
    const forgotten = await removeGivenUpJobs(db, { before, kept: MOST_KEPT, atOnce: AT_ONCE, at })
    for (const { kind, jobs } of forgotten) {
      log.warn({ job: kind, jobs }, 'removed jobs that had been given up')
    }
    if (forgotten.length === 0) return
  }
}
