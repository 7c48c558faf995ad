import { findUser } from '@salus/accounts/users'
import type { EventType } from '@salus/contracts/event-type'
import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Actor } from '@salus/kernel/audit/audited-requests'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  criticalTaskCreated,
  criticalTaskEscalated,
  criticalTaskUpdated,
} from '../results.events.ts'
import type { ResultStatus } from '../results.schema.ts'
import type { CriticalTaskRow, ListedTaskRow } from './critical-tasks.repository.ts'
import * as repository from './critical-tasks.repository.ts'
import {
  type AcknowledgeCriticalTask,
  type CriticalResultTask,
  type CriticalTaskQuery,
  OPEN_STATUSES,
} from './critical-tasks.schema.ts'

/** Most escalations of one task, so that a forgotten one does not send events for ever. */
const MOST_ESCALATIONS = 24

const UNKNOWN_TASK = notFoundCode('critical_result_task_not_found')

/** The version of an order's results in which a result became critical. */
export interface CriticalVersion {
  orderId: string
  version: number
  status: ResultStatus
  at: Date
}

/** Opens the task of a version in its transaction, with the event. */
export async function openCriticalTask(
  tx: TransactionScope,
  { orderId, version, status, at }: CriticalVersion,
): Promise<void> {
  const id = newId()
  await repository.insertTask(tx, {
    id,
    order_id: orderId,
    result_version: version,
    result_status: status,
    status: 'requested',
    opened_at: at,
    updated_at: at,
    escalate_at: nextEscalation(tx, at),
    escalated_at: null,
    received_at: null,
    received_by: null,
    acknowledged_at: null,
    acknowledged_by: null,
    note: null,
  })
  await emitTask(tx, id, criticalTaskCreated)
}

function nextEscalation({ environment }: Scope, from: Date): Date | null {
  const { critical_result_escalation_minutes: minutes } = environment.settings
  return minutes === null ? null : new Date(from.getTime() + minutes * MINUTE_MS)
}

/**
 * Returns a page of tasks, newest first; by default those that wait for an acknowledgement.
 * @throws AppError 400 `invalid_cursor`
 */
export async function listCriticalTasks(scope: Scope, query: CriticalTaskQuery) {
  const { limit, next_cursor: cursor, status, user_id: userId, order_id: orderId } = query
  const about = ['critical_result_task', scope.environment.id, status, userId, orderId]
  const after = CREATION_PAGES.read(about, cursor)
  const statuses = status === undefined ? OPEN_STATUSES : [status]
  const filter = { statuses, userId, orderId }
  const found = await repository.listTasks(scope, filter, { after, limit: limit + 1 })
  const { page, nextCursor } = CREATION_PAGES.cut(about, found, limit)
  return { data: page.map(toTask), next_cursor: nextCursor }
}

/** Returns a task. @throws AppError 404 */
export async function showCriticalTask(scope: Scope, id: string): Promise<CriticalResultTask> {
  const [row] = await repository.listTasks(scope, { id }, { after: null, limit: 1 })
  if (row === undefined) throw UNKNOWN_TASK
  return toTask(row)
}

/** Checks that a task exists and is about the person. @throws AppError 404 */
export async function requireCriticalTaskOf(
  scope: Scope,
  id: string,
  userId: string,
): Promise<void> {
  if ((await showCriticalTask(scope, id)).user_id !== userId) throw UNKNOWN_TASK
}

/**
 * Records that a person has seen a task. Only the first one is recorded; the task stays open, and
 * its escalations continue.
 * @throws AppError 404; 400 `critical_result_task_closed`
 */
export function receiveCriticalTask(
  scope: Scope,
  id: string,
  { name }: { name: string },
  actor: Actor | null,
): Promise<CriticalResultTask> {
  const at = environmentNow(scope)
  return scope.transaction(async (tx) => {
    const row = await lockOpenTask(tx, id)
    if (row.status === 'requested') {
      await repository.updateTask(tx, id, {
        status: 'received',
        received_at: at,
        received_by: performer(name, actor),
        updated_at: at,
      })
      await emitTask(tx, id, criticalTaskUpdated)
    }
    return showCriticalTask(tx, id)
  })
}

/**
 * Acknowledges a task, which ends its escalations.
 * @throws AppError 404; 400 `critical_result_task_closed`
 */
export function acknowledgeCriticalTask(
  scope: Scope,
  id: string,
  { name, note }: AcknowledgeCriticalTask,
  actor: Actor | null,
): Promise<CriticalResultTask> {
  const at = environmentNow(scope)
  return scope.transaction(async (tx) => {
    const row = await lockOpenTask(tx, id)
    const by = performer(name, actor)
    await repository.updateTask(tx, id, {
      status: 'completed',
      acknowledged_at: at,
      acknowledged_by: by,
      // A person who acknowledges a task has seen it.
      ...(row.status === 'requested' && { received_at: at, received_by: by }),
      note: note?.trim() || null,
      escalate_at: null,
      updated_at: at,
    })
    await emitTask(tx, id, criticalTaskUpdated)
    return showCriticalTask(tx, id)
  })
}

const performer = (name: string, actor: Actor | null): string =>
  JSON.stringify({
    name: name.trim(),
    actor_kind: actor?.kind ?? null,
    actor_id: actor?.id ?? null,
  })

async function lockOpenTask(tx: TransactionScope, id: string): Promise<CriticalTaskRow> {
  const row = await repository.lockTask(tx, id)
  if (row === undefined) throw UNKNOWN_TASK
  if (OPEN_STATUSES.includes(row.status)) return row
  throw badRequest('critical_result_task_closed', 'The task was acknowledged or cancelled.')
}

/** Cancels the open tasks of a version that is removed, in its transaction. */
export async function cancelTasksOfVersion(
  tx: TransactionScope,
  orderId: string,
  version: number,
  at: Date,
): Promise<void> {
  for (const id of await repository.listOpenOfVersion(tx, orderId, version)) {
    await repository.updateTask(tx, id, { status: 'cancelled', escalate_at: null, updated_at: at })
    await emitTask(tx, id, criticalTaskUpdated)
  }
}

/**
 * Escalates the tasks of an environment that were not acknowledged in time. After a downtime, each
 * task is escalated once. A failure is logged, and retried next time.
 */
export async function escalateTasks(scope: Scope, until = environmentNow(scope)): Promise<void> {
  for (const id of await repository.listDueTasks(scope, until)) {
    try {
      await scope.transaction((tx) => escalateTask(tx, id, until))
    } catch (error) {
      scope.log.error({ err: error, taskId: id }, 'a critical result could not be escalated')
    }
  }
}

async function escalateTask(tx: TransactionScope, id: string, at: Date): Promise<void> {
  const row = await repository.lockTask(tx, id)
  if (row === undefined || row.escalate_at === null || row.escalate_at > at) return
  const escalations = row.escalations + 1
  await repository.updateTask(tx, id, {
    escalations,
    escalated_at: at,
    escalate_at: escalations < MOST_ESCALATIONS ? nextEscalation(tx, at) : null,
    updated_at: at,
  })
  await emitTask(tx, id, criticalTaskEscalated)
}

/** Writes an event with the present state of a task; none about a deleted person. */
async function emitTask(
  tx: TransactionScope,
  id: string,
  type: EventType<typeof criticalTaskCreated.data>,
): Promise<void> {
  const row = await repository.lockTask(tx, id)
  const user = row && (await findUser(tx, row.user_id))
  if (row === undefined || user === undefined) return
  const event = newEvent({
    type,
    user: { id: user.id, client_user_id: user.client_user_id },
    subjectIds: [row.id, row.order_id],
    data: { ...factsOf(row), team_id: tx.environment.teamId },
  })
  await writeEvents(tx, [event])
}

const instant = (at: Date | null): string | null => at && formatInstant(at)

function factsOf(row: CriticalTaskRow) {
  const { id, order_id, user_id, sample_id, result_version, result_status, status } = row
  return {
    ...{ id, order_id, user_id, sample_id, result_version, result_status, status },
    opened_at: formatInstant(row.opened_at),
    updated_at: formatInstant(row.updated_at),
    escalations: row.escalations,
    escalated_at: instant(row.escalated_at),
    received_at: instant(row.received_at),
    acknowledged_at: instant(row.acknowledged_at),
  }
}

function toTask(row: ListedTaskRow): CriticalResultTask {
  return {
    ...factsOf(row),
    escalate_at: instant(row.escalate_at),
    received_by: row.received_by,
    acknowledged_by: row.acknowledged_by,
    note: row.note,
    results: (row.results ?? []).filter(({ interpretation }) => interpretation === 'critical'),
  }
}
