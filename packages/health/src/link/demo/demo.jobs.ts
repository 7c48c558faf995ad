import { enterEnvironment, inEnvironment } from '@salus/accounts/teams'
import { deleteUser, type UserParts } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { type DemoContext, EXTEND_DEMO, extendDemo } from './demo.service.ts'
import { listUsersToEnd, listUsersToExtend } from './demo-connections.global.repository.ts'

export interface DemoJobsContext extends Stores, DemoContext {
  config: { demoUserDays: number }
  userParts: UserParts
}

/** Extends the data of demo connections every three hours, and ends old demos. */
export function demoJobs(context: DemoJobsContext): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        EXTEND_DEMO,
        inEnvironment(context, async (scope, { userId }) => {
          await extendDemo(scope, context, userId)
        }),
      ),
      extend_demos: (_payload, signal) => extendAll(context, signal),
      delete_demo_users: (_payload, signal) => deleteOutdated(context, signal),
    },
    schedule: ['41 */3 * * * extend_demos', '51 4 * * * delete_demo_users'].join('\n'),
  }
}

async function extendAll(context: DemoJobsContext, signal: AbortSignal): Promise<void> {
  const { db, clock } = context
  const before = new Date(clock.now().getTime() - HOUR_MS)
  for (const row of await listUsersToExtend(db, before)) {
    if (signal.aborted) return
    const scope = await enterEnvironment(context, row.environment_id)
    if (scope !== undefined) await extendDemo(scope, context, row.user_id)
  }
}

async function deleteOutdated(context: DemoJobsContext, signal: AbortSignal): Promise<void> {
  const { db, clock, config, userParts } = context
  if (config.demoUserDays === 0) return
  const before = new Date(clock.now().getTime() - config.demoUserDays * 24 * HOUR_MS)
  for (const row of await listUsersToEnd(db, before)) {
    if (signal.aborted) return
    const scope = await enterEnvironment(context, row.environment_id)
    if (scope !== undefined) await deleteUser(scope, userParts, row.user_id)
  }
}
