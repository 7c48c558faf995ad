import { HOUR_MS } from '@salus/contracts/time-units'
import { type JobDefinitions, joinDefinitions } from '@salus/kernel/jobs/jobs'
import { bulkJobs } from './bulk/bulk.jobs.ts'
import { type DemoJobsContext, demoJobs } from './demo/demo.jobs.ts'
import type { LinkContext } from './link.context.ts'
import { removeLinkSessions } from './link-sessions.global.repository.ts'

/** How long an ended session is kept, to name the reason for which its token is refused. */
const KEPT_MS = 24 * HOUR_MS

/** Background jobs of sign-ins. */
export function linkJobs(context: LinkContext & DemoJobsContext): JobDefinitions {
  const { db, clock } = context
  const sessions: JobDefinitions = {
    handlers: {
      remove_link_sessions: async () => {
        await removeLinkSessions(db, new Date(clock.now().getTime() - KEPT_MS))
      },
    },
    schedule: '23 * * * * remove_link_sessions',
  }
  return joinDefinitions([sessions, bulkJobs(context), demoJobs(context)])
}
