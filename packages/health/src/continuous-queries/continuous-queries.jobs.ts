import { DAY_MS } from '@salus/contracts/time-units'
import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import type { EvaluationContext } from './evaluating/compute-result.service.ts'
import { removeOldTasks } from './evaluating/evaluation.global.repository.ts'
import { evaluateDueQueries } from './evaluating/sweep.service.ts'

/** Limits a job, since one starts each minute and would otherwise hold its worker longer. */
const SWEEP_MS = 45_000
/** Days for which the outcomes of evaluations are kept. */
const TASK_DAYS = 90
const MOST_REMOVED = 10_000

/** Evaluates continuous queries whose data changed, and deletes old tasks. */
export function continuousQueryJobs(context: EvaluationContext): JobDefinitions {
  return {
    handlers: {
      evaluate_continuous_queries: (_payload, signal) =>
        evaluateDueQueries(context, AbortSignal.any([signal, AbortSignal.timeout(SWEEP_MS)])),
      forget_continuous_query_tasks: (_payload, signal) => forgetOldTasks(context, signal),
    },
    schedule: '* * * * * evaluate_continuous_queries\n37 4 * * * forget_continuous_query_tasks',
  }
}

async function forgetOldTasks({ db, clock }: Stores, signal: AbortSignal): Promise<void> {
  const before = new Date(clock.now().getTime() - TASK_DAYS * DAY_MS)
  while (!signal.aborted && (await removeOldTasks(db, before, MOST_REMOVED)) > 0);
}
