import { DAY_MS } from '@salus/contracts/time-units'
import type { Logger } from '../log.ts'
import type { Db } from '../postgres/database.ts'
import type { Clock } from '../time/clock.ts'
import { forgetGivenUpJobs } from './job-queue.global.repository.ts'
import type { JobDefinitions } from './jobs.ts'

/** Long enough for an operator to look, mend the cause and retry. */
const KEPT_DAYS = 30
/** A flood of failures shall not fill the table within that time. */
const MOST_KEPT = 10_000
const AT_ONCE = 1_000

/**
 * Once a day jobs that were given up long ago leave the queue, which keeps them for good by itself.
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
    const forgotten = await forgetGivenUpJobs(db, { before, kept: MOST_KEPT, atOnce: AT_ONCE, at })
    for (const { kind, jobs } of forgotten) {
      log.warn({ job: kind, jobs }, 'jobs that were given up are forgotten')
    }
    if (forgotten.length === 0) return
  }
}
