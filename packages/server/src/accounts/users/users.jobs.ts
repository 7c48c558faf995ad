import type { JobDefinitions } from '../../platform/jobs/jobs.ts'
import type { Logger } from '../../platform/log.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { pauseEndedConnections } from './ended-bounds.service.ts'

export interface UserJobsOptions {
  db: Db
  clock: Clock
  log: Logger
}

/** Pauses connections whose ingestion bounds ended a week ago, once an hour. */
export function userJobs({ db, clock, log }: UserJobsOptions): JobDefinitions {
  return {
    handlers: {
      pause_ended_connections: async () => {
        const connections = await pauseEndedConnections(db, clock.now())
        if (connections > 0) log.info({ connections }, 'paused connections that had ended')
      },
    },
    schedule: '11 * * * * pause_ended_connections',
  }
}
