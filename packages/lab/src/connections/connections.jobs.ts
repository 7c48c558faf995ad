import { inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { watchConnections } from './alerts/watch-connections.service.ts'
import type { ConnectionParts } from './connection-parts.ts'
import { RESEND_LAB_MESSAGE, type ResendJob } from './messages/resend-job.ts'
import { resend } from './messages/resend-message.service.ts'

/** Jobs of laboratory connections: messages that are sent again, and alerts every five minutes. */
export function labConnectionJobs(stores: Stores, parts: ConnectionParts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        RESEND_LAB_MESSAGE,
        inEnvironment(stores, (scope, job: ResendJob) => resend(scope, parts, job)),
      ),
      watch_lab_connections: () => watchConnections(stores, parts),
    },
    schedule: '*/5 * * * * watch_lab_connections',
  }
}
