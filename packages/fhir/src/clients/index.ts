import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { deleteEnded } from './smart-tokens.global.repository.ts'

export { registerSmartClientRoutes, registerTokenRoutes } from './clients.routes.ts'
export { TokenGrants } from './grant-token.service.ts'
export { signInClient } from './sign-in-client.ts'

/** Removes tokens and assertions that have expired, once an hour. */
export function smartClientJobs({ db, clock }: Stores): JobDefinitions {
  return {
    handlers: { remove_ended_smart_tokens: () => deleteEnded(db, clock.now()) },
    schedule: '51 * * * * remove_ended_smart_tokens',
  }
}
