import { handleJob, type JobDefinitions } from '../platform/jobs/jobs.ts'
import type { Db } from '../platform/postgres/database.ts'
import type { Clock } from '../platform/time/clock.ts'
import { expireEvents, RECOVER_WEBHOOK, recoverEndpoint } from './messages/recovery.ts'

/** Recovers endpoints when asked to, and once an hour removes events that are too old. */
export function webhookJobs(context: {
  db: Db
  clock: Clock
  eventRetentionDays: number
}): JobDefinitions {
  return {
    handlers: {
      ...handleJob(RECOVER_WEBHOOK, (job, signal) => recoverEndpoint(context, job, signal)),
      expire_events: (_payload, signal) =>
        expireEvents(context, context.eventRetentionDays, signal),
    },
    schedule: '11 * * * * expire_events',
  }
}
