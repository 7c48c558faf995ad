import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import * as repository from './tasks.repository.ts'
import { changeTask, type FurtherEventsByKind, nextEscalation } from './tasks.service.ts'

/** Most escalations of one task, so that a forgotten one does not send events for ever. */
const MOST_ESCALATIONS = 24

/**
 * Escalates the tasks of an environment that were not acknowledged in time. After a downtime, each
 * task is escalated once. A failure is logged, and retried next time.
 */
export async function escalateTasks(
  scope: Scope,
  further: FurtherEventsByKind,
  until = environmentNow(scope),
): Promise<void> {
  for (const id of await repository.listDueTasks(scope, until)) {
    try {
      await scope.transaction((tx) => escalateTask(tx, further, id, until))
    } catch (error) {
      scope.log.error({ err: error, taskId: id }, 'a task could not be escalated')
    }
  }
}

async function escalateTask(
  tx: TransactionScope,
  further: FurtherEventsByKind,
  id: string,
  at: Date,
): Promise<void> {
  const row = await repository.lockTask(tx, id)
  if (row === undefined || row.escalate_at === null || row.escalate_at > at) return
  const escalations = row.escalations + 1
  const next = escalations < MOST_ESCALATIONS ? nextEscalation(tx, row, at) : null
  const changes = { escalations, escalated_at: at, escalate_at: next, updated_at: at }
  await changeTask(tx, row, 'escalated', changes, further)
}
