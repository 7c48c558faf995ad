import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { expireEvents, RECOVER_WEBHOOK, recoverEndpoint } from './messages/recovery.ts'

/** Recovers endpoints on request, and once an hour removes events that are too old. */
export function webhookJobs(stores: Stores, retentionDays: number): JobDefinitions {
  return {
    handlers: {
      ...handleJob(RECOVER_WEBHOOK, (job, signal) => recoverEndpoint(stores, job, signal)),
      expire_events: (_payload, signal) => expireEvents(stores, retentionDays, signal),
    },
    schedule: '11 * * * * expire_events',
  }
}
