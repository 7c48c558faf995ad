import type { Actor } from '@salus/kernel/audit/audited-requests'
import { AppError, conflict, notFoundCode } from '@salus/kernel/errors'
import { followPages, MOST_CSV_ROWS, refuseLongCsv } from '@salus/kernel/http/csv'
import { integerKey, KeysetPages, LISTED_INSTANT, UUID_KEY } from '@salus/kernel/http/keyset-pages'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  OPEN_TASK_STATUSES,
  TASK_KINDS,
  TASK_PRIORITIES,
  type TaskStatus,
} from './tasks.registry.ts'
import type { ShownTaskRow, TaskRow } from './tasks.repository.ts'
import * as repository from './tasks.repository.ts'
import type { Task, TaskAction, TaskCounts, TaskList, TaskQuery } from './tasks.schema.ts'
import { changeTask, endedBy, type FurtherEventsByKind, factsOf } from './tasks.service.ts'

const PAGES = new KeysetPages({
  priority: integerKey(0, TASK_PRIORITIES.length - 1),
  openedAt: LISTED_INSTANT,
  id: UUID_KEY,
})

/**
 * Returns a page of tasks; by default those that are open.
 * @throws AppError 400 `invalid_cursor`
 */
export async function showTasks(scope: Scope, query: TaskQuery): Promise<TaskList> {
  const { limit, next_cursor: cursor, order_by: order = 'priority' } = query
  const filter = toFilter(query)
  const list = ['task', scope.environment.id, order, ...Object.values(filter)]
  const after = PAGES.read(list, cursor)
  const page = { isByPriority: order === 'priority', after, limit: limit + 1 }
  const found = await repository.listTasks(scope, filter, page)
  const { page: rows, nextCursor } = PAGES.cut(list, found, limit, (row) => ({
    priority: row.priority,
    openedAt: row.position,
    id: row.id,
  }))
  return { data: rows.map(toTask), next_cursor: nextCursor }
}

/**
 * Returns all tasks of a list, page by page, for a file.
 * @throws AppError 400 `too_many_rows`
 */
export async function exportTasks(scope: Scope, query: TaskQuery): Promise<AsyncIterable<Task[]>> {
  refuseLongCsv(await repository.countMatchingTasks(scope, toFilter(query), MOST_CSV_ROWS + 1))
  return followPages(async (cursor) => {
    const { data, next_cursor: next } = await showTasks(scope, { ...query, next_cursor: cursor })
    return { rows: data, next }
  })
}

function toFilter(query: TaskQuery): repository.TaskFilter {
  const { status = null, kind, user_id: userId, focus_id: focusId, owner } = query
  const { is_assigned: isAssigned, is_escalated: isEscalated } = query
  return { status, kind, userId, focusId, owner, isAssigned, isEscalated }
}

/** Counts open tasks. */
export async function showCounts(scope: Scope): Promise<TaskCounts> {
  const kinds = await repository.countTasks(scope)
  const sum = (name: 'open' | 'unacknowledged' | 'escalated') =>
    kinds.reduce((total, row) => total + row[name], 0)
  return {
    open: sum('open'),
    unacknowledged: sum('unacknowledged'),
    escalated: sum('escalated'),
    kinds: kinds.map(({ kind, open }) => ({ kind, open })),
  }
}

/** Returns a task. @throws AppError 404 */
export async function showTask(scope: Scope, id: string): Promise<Task> {
  const row = await repository.findTask(scope, id)
  if (row === undefined) throw notFoundCode('task_not_found')
  return toTask(row)
}

function toTask(row: ShownTaskRow): Task {
  return {
    ...factsOf(row),
    client_user_id: row.client_user_id,
    escalate_at: row.escalate_at && formatInstant(row.escalate_at),
    received_by: row.received_by,
    acknowledged_by: row.acknowledged_by,
    owner: row.owner,
    ended_by: row.ended_by,
    note: row.note,
  }
}

const isOpen = (status: TaskStatus): boolean =>
  (OPEN_TASK_STATUSES as readonly TaskStatus[]).includes(status)

const performer = (name: string, actor: Actor | null): string =>
  JSON.stringify({
    name: name.trim(),
    actor_kind: actor?.kind ?? null,
    actor_id: actor?.id ?? null,
  })

/** Locks a task, changes it, and returns it as it is then. */
async function commandTask(
  scope: Scope,
  id: string,
  change: (tx: TransactionScope, row: TaskRow, at: Date) => Promise<void>,
): Promise<Task> {
  const at = environmentNow(scope)
  return scope.transaction(async (tx) => {
    const row = await repository.lockTask(tx, id)
    if (row === undefined) throw notFoundCode('task_not_found')
    if (!isOpen(row.status)) throw refusalOf(row)
    await change(tx, row, at)
    return showTask(tx, id)
  })
}

/** Who acknowledged or ended a task, for those who come later. */
function refusalOf(row: TaskRow): AppError {
  if (row.acknowledged_at !== null) {
    return conflict('task_acknowledged', 'Another person has acknowledged the task.', {
      acknowledged_at: formatInstant(row.acknowledged_at),
      acknowledged_by: row.acknowledged_by,
    })
  }
  return conflict('task_ended', 'The task was completed or cancelled.', {
    ended_at: factsOf(row).ended_at,
    ended_by: row.ended_by,
  })
}

/**
 * Records that a person has seen a locked task. Only the first person is recorded, and escalations
 * continue.
 */
export async function receiveLocked(
  tx: TransactionScope,
  row: TaskRow,
  by: { name: string; actor: Actor | null; at: Date },
  further: FurtherEventsByKind,
): Promise<void> {
  if (row.received_at !== null) return
  const { at } = by
  const changes = { received_at: at, received_by: performer(by.name, by.actor), updated_at: at }
  const status = row.status === 'requested' ? ('received' as const) : row.status
  await changeTask(tx, row, 'updated', { ...changes, status }, further)
}

/** Acknowledges a locked task that no person has acknowledged, which ends its escalations. */
export async function acknowledgeLocked(
  tx: TransactionScope,
  row: TaskRow,
  by: { name: string; note?: string | null | undefined; actor: Actor | null; at: Date },
  further: FurtherEventsByKind,
): Promise<void> {
  const { at } = by
  const person = performer(by.name, by.actor)
  const isDone = TASK_KINDS[row.kind].isDoneWhenAcknowledged
  await changeTask(
    tx,
    row,
    'acknowledged',
    {
      ...(isDone && { ended_at: at, ended_by: person }),
      status: isDone ? 'completed' : 'accepted',
      escalate_at: null,
      acknowledged_at: at,
      acknowledged_by: person,
      // A person who acknowledges a task has seen it.
      ...(row.received_at === null && { received_at: at, received_by: person }),
      ...writtenNote(by.note),
      updated_at: at,
    },
    further,
  )
}

const writtenNote = (note: string | null | undefined) => {
  const written = note?.trim()
  return written ? { note: written } : {}
}

/** Commands of people on tasks, with the events of interfaces that existed before. */
export function taskCommands(further: FurtherEventsByKind) {
  return {
    /**
     * Records that a person has seen a task.
     * @throws AppError 404; 409 `task_acknowledged`, `task_ended` for a task that is not open
     */
    receive: (scope: Scope, id: string, name: string, actor: Actor | null) =>
      commandTask(scope, id, (tx, row, at) => receiveLocked(tx, row, { name, actor, at }, further)),

    /**
     * Acknowledges a task. Of several people one succeeds, and the others learn who that was.
     * @throws AppError 404; 409 `task_acknowledged`, `task_ended`
     */
    acknowledge: (scope: Scope, id: string, { name, note }: TaskAction, actor: Actor | null) =>
      commandTask(scope, id, async (tx, row, at) => {
        if (row.acknowledged_at !== null) throw refusalOf(row)
        await acknowledgeLocked(tx, row, { name, note, actor, at }, further)
      }),

    /** Gives a task to a person, or to no one. @throws AppError 404; 409 as `receive` */
    assign: (scope: Scope, id: string, owner: string | null, actor: Actor | null) =>
      commandTask(scope, id, (tx, row, at) => {
        const person = owner === null ? null : performer(owner, actor)
        // The interface that existed before knows no owners, so it has no event.
        return changeTask(tx, row, 'updated', { owner: person, updated_at: at })
      }),

    /**
     * Ends a task whose reason lasts, as when a person was called.
     * @throws AppError 404; 409 as `receive`; 409 `task_ends_with_reason`
     */
    end: (
      scope: Scope,
      id: string,
      end: 'completed' | 'cancelled',
      { name, note }: TaskAction,
      actor: Actor | null,
    ) =>
      commandTask(scope, id, async (tx, row, at) => {
        if (!TASK_KINDS[row.kind].isEndedByPerson) {
          throw new AppError(
            409,
            'task_ends_with_reason',
            'Tasks of this kind end with their reason, as by a decision about the result.',
          )
        }
        const changes = { ...endedBy(performer(name, actor), end, at), ...writtenNote(note) }
        await changeTask(tx, row, end, changes, further)
      }),
  }
}
