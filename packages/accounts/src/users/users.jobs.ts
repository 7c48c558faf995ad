import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { pauseEndedConnections } from './ended-bounds.service.ts'

/** Pauses connections whose ingestion bounds ended a week ago, once an hour. */
export function userJobs(stores: Stores): JobDefinitions {
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
