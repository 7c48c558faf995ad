import { MINUTE_MS } from '@salus/contracts/time-units'
import type { NewEvent } from '@salus/kernel/events/events'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { newId } from '@salus/kernel/ids'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { findUserReference, type UserReference } from '../users/index.ts'
import { TASK_EVENT_TYPES, type TaskChange } from './tasks.events.ts'
import {
  type FocusType,
  TASK_KINDS,
  TASK_PRIORITIES,
  type TaskKind,
  type TaskPriority,
} from './tasks.registry.ts'
import type { TaskChanges, TaskRow } from './tasks.repository.ts'
import * as repository from './tasks.repository.ts'
import type { TaskEvent } from './tasks.schema.ts'

/** A reason for a task. */
interface NewTask {
  kind: TaskKind
  focus: { type: FocusType; id: string }
  /** Null for what belongs to no person, or to one who is not known. */
  userId: string | null
  /** Time at which the reason began; by default the present time of the environment. */
  at?: Date
  /** Own priority, instead of that of the kind. */
  priority?: TaskPriority
  /** Own minutes until an escalation, instead of those of the kind; null means none. */
  escalationMinutes?: number | null
  /** The version of an order's results that has a critical result. */
  result?: { orderId: string; version: number; status: string }
}

/** Events of a task for clients of an interface that existed before there were tasks. */
export type FurtherEvents = (
  tx: TransactionScope,
  task: TaskRow,
  change: TaskChange,
  user: UserReference | null,
) => Promise<NewEvent[]>
/** Further events by the kind of the task. */
export type FurtherEventsByKind = { readonly [Kind in TaskKind]?: FurtherEvents }

/**
 * Opens the task of a reason in the transaction that stores the reason, with the event. Nothing
 * happens when the reason already has an open task.
 */
export async function openTask(
  tx: TransactionScope,
  { kind, focus, userId, result, priority, escalationMinutes, at = environmentNow(tx) }: NewTask,
  further: FurtherEventsByKind = {},
): Promise<void> {
  const own = escalationMinutes ?? null
  const dueAt = nextEscalation(tx, { kind, escalation_minutes: own }, at)
  const row = await repository.insertTask(tx, {
    id: newId(),
    kind,
    status: 'requested',
    priority: TASK_PRIORITIES.indexOf(priority ?? TASK_KINDS[kind].priority),
    focus_type: focus.type,
    focus_id: focus.id,
    user_id: userId,
    ...(result && {
      order_id: result.orderId,
      result_version: result.version,
      result_status: result.status,
    }),
    opened_at: at,
    updated_at: at,
    due_at: dueAt,
    escalate_at: dueAt,
    escalation_minutes: own,
  })
  if (row !== undefined) await emitTask(tx, row, 'created', further)
}

/** Returns the time of an escalation; null where the team has set none for the kind. */
export function nextEscalation(
  { environment }: Scope,
  { kind, escalation_minutes: own }: Pick<TaskRow, 'kind' | 'escalation_minutes'>,
  from: Date,
): Date | null {
  const { critical_result_escalation_minutes: critical, task_escalation_minutes: others } =
    environment.settings
  // A rule has the time of its own tasks.
  const ofKind = (): number | null => {
    if (kind === 'critical_result') return critical
    return kind === 'rule' ? null : (others?.[kind] ?? null)
  }
  const minutes = own ?? ofKind()
  return minutes === null ? null : new Date(from.getTime() + minutes * MINUTE_MS)
}

/**
 * Ends the open tasks of records whose reason ended, in the transaction that ends it.
 * @param end `completed` when the work was done, `cancelled` when it is no longer needed
 */
export async function endTasks(
  tx: TransactionScope,
  kinds: readonly TaskKind[],
  focusIds: readonly string[],
  end: 'completed' | 'cancelled',
): Promise<void> {
  if (focusIds.length === 0) return
  const changes = endedBy(null, end, environmentNow(tx))
  const ended = await repository.endOpenTasks(tx, kinds, focusIds, changes)
  for (const row of ended) await emitTask(tx, row, end)
}

/** Returns the changes of a task that ends. */
export function endedBy(
  performer: string | null,
  end: 'completed' | 'cancelled',
  at: Date,
): TaskChanges {
  return { status: end, escalate_at: null, updated_at: at, ended_at: at, ended_by: performer }
}

/** Changes a locked task, and emits the event. */
export async function changeTask(
  tx: TransactionScope,
  { id }: TaskRow,
  change: Exclude<TaskChange, 'created'>,
  changes: TaskChanges,
  further: FurtherEventsByKind = {},
): Promise<void> {
  await emitTask(tx, await repository.updateTask(tx, id, changes), change, further)
}

/** Writes the events with the present state of a task; none about a deleted person. */
async function emitTask(
  tx: TransactionScope,
  row: TaskRow,
  change: TaskChange,
  further: FurtherEventsByKind = {},
): Promise<void> {
  const { user_id: userId } = row
  const user = userId === null ? null : ((await findUserReference(tx, userId)) ?? null)
  if (userId !== null && user === null) return
  const event = newEvent({
    type: TASK_EVENT_TYPES[change],
    user,
    subjectIds: [row.id, row.focus_id],
    data: { ...factsOf(row), team_id: tx.environment.teamId },
  })
  const others = (await further[row.kind]?.(tx, row, change, user)) ?? []
  await writeEvents(tx, [...others, event])
}

const instant = (at: Date | null): string | null => at && formatInstant(at)

/** Returns what lists and events show of a task. */
export function factsOf(row: TaskRow): Omit<TaskEvent, 'team_id'> {
  const isEnded = row.status === 'completed' || row.status === 'cancelled'
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    priority: TASK_PRIORITIES[row.priority] ?? 'routine',
    focus: { type: row.focus_type, id: row.focus_id },
    user_id: row.user_id,
    opened_at: formatInstant(row.opened_at),
    updated_at: formatInstant(row.updated_at),
    // Rows of the version before have neither of the two.
    due_at: instant(row.due_at ?? row.escalate_at),
    ended_at: instant(row.ended_at ?? (isEnded ? row.updated_at : null)),
    escalations: row.escalations,
    escalated_at: instant(row.escalated_at),
    received_at: instant(row.received_at),
    acknowledged_at: instant(row.acknowledged_at),
  }
}
