import { handleJob, type JobDefinitions } from '../../platform/jobs/jobs.ts'
import { environmentNow } from '../../platform/scope.ts'
import { enterEnvironment } from '../inbox/index.ts'
import { runDueStep } from './run-step.service.ts'
import { runSandboxes, type SandboxContext } from './sandbox-clock.service.ts'
import { RUN_SANDBOX_STEPS } from './simulate-order.service.ts'

/** Steps of simulated orders, and what sandboxes do by themselves. */
export function sandboxJobs(context: SandboxContext): JobDefinitions {
  return {
    handlers: {
      ...handleJob(RUN_SANDBOX_STEPS, async ({ environmentId, orderId }) => {
        const scope = await enterEnvironment(context, environmentId)
        if (scope === undefined) return
        await runDueStep(context, scope, { until: environmentNow(scope), orderId })
      }),
      run_sandboxes: (_payload, signal) => runSandboxes(context, signal),
    },
    schedule: '* * * * * run_sandboxes',
  }
}
