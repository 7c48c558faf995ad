import type { JobDefinitions } from '../../platform/jobs/jobs.ts'
import { type LeftBehindContext, sweepLeftBehind } from './announce/announce-left-behind.ts'
import { LEFT_BEHIND_MS } from './announce/sample-announcer.ts'

/** Looks every minute for samples that were stored and, because of a crash, never announced. */
export function ingestJobs(context: LeftBehindContext): JobDefinitions {
  return {
    handlers: {
      announce_left_behind: (_payload, signal) => sweepLeftBehind(context, LEFT_BEHIND_MS, signal),
    },
    schedule: '* * * * * announce_left_behind',
  }
}
