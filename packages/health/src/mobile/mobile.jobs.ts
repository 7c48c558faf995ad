import { DAY_MS } from '@salus/contracts/time-units'
import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { deleteLinkCodesBefore } from './link-codes/link-codes.global.repository.ts'
import type { AppTokens } from './sessions/app-tokens.ts'
import { deleteMobileSessionsEndedBefore } from './sessions/mobile-sessions.global.repository.ts'

/** Removes expired sessions, codes and signing keys hourly. */
export function mobileJobs({ db, clock, tokens }: Stores & { tokens: AppTokens }): JobDefinitions {
  return {
    handlers: {
      sweep_mobile_sessions: async () => {
        const before = new Date(clock.now().getTime() - DAY_MS)
        await deleteMobileSessionsEndedBefore(db, before)
        await deleteLinkCodesBefore(db, before)
        await tokens.removeExpiredKeys()
      },
    },
    schedule: '41 * * * * sweep_mobile_sessions',
  }
}
