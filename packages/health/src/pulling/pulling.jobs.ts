import { inEnvironment } from '@salus/accounts/teams'
import { DAY_MS } from '@salus/contracts/time-units'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { REVOKE_GRANT } from '../connections/index.ts'
import { removeFullBuckets } from './access/budgets.global.repository.ts'
import { revokeEndedGrants, revokeGrant } from './access/revoke-grant.service.ts'
import { PLAN_PULLS, planConnection } from './planning/plan-connection.service.ts'
import type { PullingContext } from './pulling-context.ts'
import { applyMessage } from './pushes/apply-message.service.ts'
import {
  removeOldMessages,
  removeSeenMessagesBefore,
} from './pushes/push-subscriptions.global.repository.ts'
import {
  ADD_PUSH_SUBSCRIPTION,
  ADD_USER_SUBSCRIPTION,
  renewSubscriptions,
  subscribeToMessages,
  subscribeUser,
} from './pushes/push-subscriptions.service.ts'
import { APPLY_VENDOR_MESSAGE } from './pushes/receive-push.service.ts'

/** Background jobs of connections to cloud providers, except the pulls themselves. */
export function pullingJobs(context: PullingContext): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        PLAN_PULLS,
        inEnvironment(context, (scope, job) => planConnection(scope, context.connectors, job)),
      ),
      ...handleJob(
        REVOKE_GRANT,
        inEnvironment(context, (scope, job, attempt) => revokeGrant(context, scope, job, attempt)),
      ),
      ...handleJob(
        ADD_PUSH_SUBSCRIPTION,
        inEnvironment(context, (scope, { provider }) =>
          subscribeToMessages(context, scope, provider),
        ),
      ),
      ...handleJob(
        ADD_USER_SUBSCRIPTION,
        inEnvironment(context, (scope, job) => subscribeUser(context, scope, job)),
      ),
      ...handleJob(APPLY_VENDOR_MESSAGE, ({ messageId }) => applyMessage(context, messageId)),
      renew_push_subscriptions: () => renewSubscriptions(context),
      revoke_ended_grants: () => revokeEndedGrants(context),
      forget_old_pulls: () => forgetOld(context),
    },
    schedule: [
      '41 3 * * * renew_push_subscriptions',
      '17 * * * * revoke_ended_grants',
      '47 4 * * * forget_old_pulls',
    ].join('\n'),
  }
}

async function forgetOld({ db, clock }: PullingContext): Promise<void> {
  const now = clock.now().getTime()
  // The longest budgets last a day.
  await removeFullBuckets(db, new Date(now - 2 * DAY_MS))
  await removeSeenMessagesBefore(db, new Date(now - DAY_MS))
  await removeOldMessages(db, new Date(now - 7 * DAY_MS))
}
