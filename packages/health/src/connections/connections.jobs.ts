import { defineJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { pauseEndedConnections } from './ended-bounds.service.ts'

/**
 * Revokes at the vendor the grant of a removed connection and deletes its credential. The engine
 * that talks to vendors is above this domain and handles the job.
 */
export const REVOKE_GRANT = defineJob<{ environmentId: string; userId: string; provider: string }>(
  'revoke-grant',
)

/** Pauses connections, hourly, of users whose ingestion bounds ended a week ago. */
export function connectionJobs(stores: Stores): JobDefinitions {
  return {
    handlers: {
      pause_ended_connections: async () => {
        const connections = await pauseEndedConnections(stores)
        if (connections > 0) stores.log.info({ connections }, 'paused connections that had ended')
      },
    },
    schedule: '11 * * * * pause_ended_connections',
  }
}
