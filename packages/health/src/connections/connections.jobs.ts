import { defineJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { pauseEndedConnections } from './ended-bounds.service.ts'

/**
 * Ends at the vendor what a connection that was removed had been granted, and forgets its
 * credential. The engine that talks to vendors stands above this domain and handles it.
 */
export const REVOKE_GRANT = defineJob<{ environmentId: string; userId: string; provider: string }>(
  'revoke-grant',
)

/** Pauses connections whose ingestion bounds ended a week ago, once an hour. */
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
