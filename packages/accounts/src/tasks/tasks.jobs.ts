import type { JobDefinitions } from '@salus/kernel/jobs/jobs'
import type { Stores } from '@salus/kernel/scope'
import { enterEnvironment } from '../teams/index.ts'
import { escalateTasks } from './escalate-tasks.service.ts'
import {
  listEnvironmentsWithDueTasks,
  listReasonsWithoutTask,
  listTasksWithoutReason,
  type TaskReasons,
} from './tasks.global.repository.ts'
import { endTasks, type FurtherEventsByKind, openTask } from './tasks.service.ts'

/** Number of reasons that one query finds. */
const AT_ONCE = 500

/**
 * Jobs that escalate tasks, and that bring tasks and reasons together: for reasons from before
 * tasks existed, those that time alone brings or ends, and what a version before this one stored.
 */
export function taskJobs(
  stores: Stores,
  reasons: readonly TaskReasons[],
  further: FurtherEventsByKind,
): JobDefinitions {
  return {
    handlers: {
      escalate_tasks: (_payload, signal) => escalateEverywhere(stores, further, signal),
      // Jobs of the version before may be in the queue.
      escalate_critical_results: (_payload, signal) => escalateEverywhere(stores, further, signal),
      match_tasks_with_reasons: async (_payload, signal) => {
        for (const each of reasons) await matchTasks(stores, each, signal)
      },
    },
    schedule: '* * * * * escalate_tasks\n23 * * * * match_tasks_with_reasons',
  }
}

/** Escalates tasks in all environments, each by its own time. */
async function escalateEverywhere(
  stores: Stores,
  further: FurtherEventsByKind,
  signal: AbortSignal,
): Promise<void> {
  for (const id of await listEnvironmentsWithDueTasks(stores.db, stores.clock.now())) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope !== undefined) await escalateTasks(scope, further)
  }
}

/**
 * Opens the tasks that reasons lack, and completes those whose reason has ended. It can be repeated
 * after an interruption.
 */
export async function matchTasks(
  stores: Stores,
  reasons: TaskReasons,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = stores
  for (;;) {
    const missing = await listReasonsWithoutTask(db, reasons, clock.now(), AT_ONCE)
    let opened = 0
    for (const [environmentId, found] of Map.groupBy(missing, (row) => row.environment_id)) {
      if (signal.aborted) return
      const scope = await enterEnvironment(stores, environmentId)
      if (scope === undefined) continue
      for (const { kind, focus_type: type, focus_id: id, user_id: userId } of found) {
        await scope.transaction((tx) => openTask(tx, { kind, focus: { type, id }, userId }))
        opened += 1
      }
    }
    // Environments of deleted teams are left out.
    if (missing.length < AT_ONCE || opened === 0) break
  }
  for (;;) {
    const ended = await listTasksWithoutReason(db, reasons, clock.now(), AT_ONCE)
    let closed = 0
    for (const [environmentId, found] of Map.groupBy(ended, (row) => row.environment_id)) {
      if (signal.aborted) return
      const scope = await enterEnvironment(stores, environmentId)
      if (scope === undefined) continue
      const ids = found.map((row) => row.focus_id)
      await scope.transaction((tx) => endTasks(tx, reasons.kinds, ids, 'completed'))
      closed += found.length
    }
    if (ended.length < AT_ONCE || closed === 0) return
  }
}
