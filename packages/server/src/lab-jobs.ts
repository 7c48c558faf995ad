import type { Tenant } from './accounts/teams/index.ts'
import { createUser } from './accounts/users/index.ts'
import type { Config } from './config.ts'
import { type InboxContext, labInboxJobs } from './lab/inbox/index.ts'
import { orderJobs } from './lab/orders/index.ts'
import { resultJobs } from './lab/results/index.ts'
import { sandboxJobs } from './lab/sandbox/index.ts'
import type { JobDefinitions } from './platform/jobs/jobs.ts'

/** Background work on orders, what laboratories send, and sandboxes. */
export function labJobs(
  context: InboxContext,
  config: Pick<Config, 'orderTimeZone' | 'sandboxAutoProgress'>,
): JobDefinitions[] {
  const { gateways } = context
  const { orderTimeZone: timeZone, sandboxAutoProgress: autoProgress } = config
  return [
    orderJobs({ ...context, findGateway: gateways.find, timeZone }),
    labInboxJobs(context),
    resultJobs({ ...context, makeTestUser: (tenant, name) => makeTestUser(context, tenant, name) }),
    // Other processes notice moved time when their cached credentials end.
    sandboxJobs({ ...context, autoProgress, forgetCredentials: () => {} }),
  ]
}

/** A user of a sandbox for orders that a test of the review queue makes. */
async function makeTestUser(
  { db, clock, log }: InboxContext,
  tenant: Tenant,
  clientUserId: string,
): Promise<string> {
  // Nobody is shown this user's sources, and the limit of a sandbox is for people.
  const context = { db, clock, log, tenant, baseUrl: '', sandboxUserLimit: 0 }
  const { user_id: userId } = await createUser(context, { client_user_id: clientUserId })
  return userId
}
