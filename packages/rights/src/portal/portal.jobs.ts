import { DAY_MS } from '@salus/contracts/time-units'
import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { removeEndedSessions } from './portal.global.repository.ts'

/** Removes links and sessions of the portal a day after their end. */
export function portalJobs({ db, clock }: Stores): JobDefinitions {
  return {
    handlers: {
      remove_portal_sessions: () =>
        removeEndedSessions(db, new Date(clock.now().getTime() - DAY_MS)),
    },
    schedule: '53 * * * * remove_portal_sessions',
  }
}
