import { DAY_MS } from '@salus/contracts/time-units'
import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { deleteLinkCodesBefore } from './link-codes/link-codes.global.repository.ts'
import type { AppTokens } from './sessions/app-tokens.ts'
import { deleteSessionsEndedBefore } from './sessions/mobile-sessions.global.repository.ts'

/** Removes sessions, codes and signing keys that have ended, once an hour. */
export function mobileJobs({ db, clock, tokens }: Stores & { tokens: AppTokens }): JobDefinitions {
  return {
    handlers: {
      sweep_mobile_sessions: async () => {
        const before = new Date(clock.now().getTime() - DAY_MS)
        await deleteSessionsEndedBefore(db, before)
        await deleteLinkCodesBefore(db, before)
        await tokens.sweepKeys()
      },
    },
    schedule: '41 * * * * sweep_mobile_sessions',
  }
}
