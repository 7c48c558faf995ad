import type { JobDefinitions } from '../../../platform/jobs/jobs.ts'
import {
  type LeftBehindSummariesContext,
  sweepLeftBehindSummaries,
} from './announce-left-behind.ts'
import { LEFT_BEHIND_MS } from './summary-announcer.ts'

/** Looks every minute for summaries that were stored and, because of a crash, never announced. */
export function summaryJobs(context: LeftBehindSummariesContext): JobDefinitions {
  return {
    handlers: {
      announce_left_behind_summaries: (_payload, signal) =>
        sweepLeftBehindSummaries(context, LEFT_BEHIND_MS, signal),
    },
    schedule: '* * * * * announce_left_behind_summaries',
  }
}
