import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { moveOldEvents } from './history/move-events.ts'
import { expireEvents, RECOVER_WEBHOOK, recoverEndpoint } from './messages/recovery.ts'

/**
 * Recovers endpoints on request; once an hour removes events that are too old, and moves those that
 * are over to ClickHouse.
 */
export function webhookJobs(stores: Stores, retentionDays: number): JobDefinitions {
  return {
    handlers: {
      ...handleJob(RECOVER_WEBHOOK, (job, signal) => recoverEndpoint(stores, job, signal)),
      expire_events: (_payload, signal) => expireEvents(stores, retentionDays, signal),
      move_old_events: async (_payload, signal) => {
        await moveOldEvents(stores, signal)
      },
    },
    schedule: '11 * * * * expire_events\n21 * * * * move_old_events',
  }
}
