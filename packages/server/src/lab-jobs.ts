import type { Config } from './config.ts'
import { type InboxContext, labInboxJobs } from './lab-inbox/index.ts'
import { orderJobs } from './orders/index.ts'
import type { JobDefinitions } from './platform/jobs/jobs.ts'
import { sandboxJobs } from './sandbox/index.ts'

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
    // Other processes notice moved time when their cached credentials end.
    sandboxJobs({ ...context, autoProgress, forgetCredentials: () => {} }),
  ]
}
