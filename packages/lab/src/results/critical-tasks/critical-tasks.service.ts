import {
  acknowledgeLocked,
  changeTask,
  endedBy,
  type FurtherEvents,
  lockTask,
  openTask,
  receiveLocked,
  type TaskRow,
} from '@salus/accounts/tasks'
import type { Actor } from '@salus/kernel/audit/audited-requests'
import { badRequest, notFoundCode } from '@salus/kernel/errors'
import { newEvent } from '@salus/kernel/events/events'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { findOrder, type OrderRow } from '../../orders/index.ts'
import {
  criticalTaskCreated,
  criticalTaskEscalated,
  criticalTaskUpdated,
} from '../results.events.ts'
import type { ResultStatus } from '../results.schema.ts'
import * as repository from './critical-tasks.repository.ts'
import {
  type AcknowledgeCriticalTask,
  type CriticalResultTask,
  type CriticalTaskQuery,
  OPEN_STATUSES,
} from './critical-tasks.schema.ts'

const UNKNOWN_TASK = notFoundCode('critical_result_task_not_found')

/** The version of an order's results in which a result became critical. */
export interface CriticalVersion {
  order: Pick<OrderRow, 'id' | 'user_id' | 'sample_id'>
  version: number
  status: ResultStatus
  at: Date
}

/** Opens the task of a version in its transaction, with the events. */
export async function openCriticalTask(
  tx: TransactionScope,
  { order, version, status, at }: CriticalVersion,
): Promise<void> {
  const task = {
    kind: 'critical_result',
    focus: { type: 'order', id: order.id },
    userId: order.user_id,
    result: { orderId: order.id, version, status },
    at,
  } as const
  const further: FurtherEvents = async (_tx, row, change, user) => [
    toEvent(tx, row, change, user, order.sample_id),
  ]
  await openTask(tx, task, { critical_result: further })
}

/** The events that this interface had before there were tasks of other kinds. */
const furtherEvents: FurtherEvents = async (tx, row, change, user) => {
  const order = row.order_id === null ? undefined : await findOrder(tx, row.order_id)
  return [toEvent(tx, row, change, user, order?.sample_id ?? null)]
}
/** Further events of tasks of this domain, by their kind. */
export const RESULT_TASK_EVENTS = { critical_result: furtherEvents } as const

function toEvent(
  tx: TransactionScope,
  row: TaskRow,
  change: Parameters<FurtherEvents>[2],
  user: Parameters<FurtherEvents>[3],
  sampleId: string | null,
) {
  const types = { created: criticalTaskCreated, escalated: criticalTaskEscalated }
  return newEvent({
    type: change === 'created' || change === 'escalated' ? types[change] : criticalTaskUpdated,
    user,
    subjectIds: [row.id, row.focus_id],
    data: {
      ...factsOf(row as repository.CriticalTaskRow, sampleId),
      team_id: tx.environment.teamId,
    },
  })
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
  const found = await repository.listCriticalRows(scope, filter, { after, limit: limit + 1 })
  const { page, nextCursor } = CREATION_PAGES.cut(about, found, limit)
  return { data: page.map(toTask), next_cursor: nextCursor }
}

/** Returns a task. @throws AppError 404 */
export async function showCriticalTask(scope: Scope, id: string): Promise<CriticalResultTask> {
  const [row] = await repository.listCriticalRows(scope, { id }, { after: null, limit: 1 })
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
    await receiveLocked(tx, row, { name, actor, at }, RESULT_TASK_EVENTS)
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
    await acknowledgeLocked(tx, row, { name, note, actor, at }, RESULT_TASK_EVENTS)
    return showCriticalTask(tx, id)
  })
}

async function lockOpenTask(tx: TransactionScope, id: string): Promise<TaskRow> {
  const row = await lockTask(tx, id)
  if (row?.kind !== 'critical_result') throw UNKNOWN_TASK
  if (OPEN_STATUSES.some((status) => status === row.status)) return row
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
    const row = await lockTask(tx, id)
    if (row === undefined) continue
    await changeTask(tx, row, 'cancelled', endedBy(null, 'cancelled', at), RESULT_TASK_EVENTS)
  }
}

const instant = (at: Date | null): string | null => at && formatInstant(at)

function factsOf(row: repository.CriticalTaskRow, sampleId: string | null) {
  return {
    id: row.id,
    order_id: row.focus_id,
    user_id: row.user_id,
    sample_id: sampleId,
    result_version: row.result_version,
    result_status: row.result_status,
    status: row.status,
    opened_at: formatInstant(row.opened_at),
    updated_at: formatInstant(row.updated_at),
    escalations: row.escalations,
    escalated_at: instant(row.escalated_at),
    received_at: instant(row.received_at),
    acknowledged_at: instant(row.acknowledged_at),
  }
}

function toTask(row: repository.ListedTaskRow): CriticalResultTask {
  return {
    ...factsOf(row, row.sample_id),
    escalate_at: instant(row.escalate_at),
    received_by: row.received_by,
    acknowledged_by: row.acknowledged_by,
    note: row.note,
    results: (row.results ?? []).filter(({ interpretation }) => interpretation === 'critical'),
  }
}
