import { inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { environmentNow, type Stores } from '@salus/kernel/scope'
import { runDueStep } from './run-step.service.ts'
import { runSandboxes, type SandboxParts } from './sandbox-clock.service.ts'
import { RUN_SANDBOX_STEPS, type SandboxStepsJob } from './simulate-order.service.ts'
import { deleteOldBookings } from './slots/old-bookings.service.ts'

/** Jobs that run steps of simulated orders, and the automatic progress of sandboxes. */
export function sandboxJobs(stores: Stores, parts: SandboxParts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        RUN_SANDBOX_STEPS,
        inEnvironment(stores, async (scope, { orderId }: SandboxStepsJob) => {
          // Runs all due steps: a job that runs while the request still takes the first step only
          // repeats that one.
          for (let isMore = true; isMore; ) {
            isMore = await runDueStep(scope, parts, { until: environmentNow(scope), orderId })
          }
        }),
      ),
      run_sandboxes: (_payload, signal) => runSandboxes(stores, parts, signal),
      forget_sandbox_bookings: (_payload, signal) => deleteOldBookings(stores, signal),
    },
    schedule: '* * * * * run_sandboxes\n41 4 * * * forget_sandbox_bookings',
  }
}
