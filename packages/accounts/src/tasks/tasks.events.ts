import { defineEvent, type EventType } from '@salus/contracts/event-type'
import { TaskEvent } from './tasks.schema.ts'

/** Changes of tasks, by the ends of the names of their events. */
export type TaskChange =
  | 'created'
  | 'updated'
  | 'acknowledged'
  | 'escalated'
  | 'completed'
  | 'cancelled'

const TASK = {
  id: '2c3d4e5f-6071-4829-8b9c-3d4e5f6a7b8c',
  kind: 'provider_connection',
  status: 'requested',
  priority: 'routine',
  focus: { type: 'provider_connection', id: '5d6e7f80-9192-4a3b-8c4d-5e6f708192a3' },
  user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  team_id: '6a1f2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b',
  opened_at: '2026-03-02T17:45:00+00:00',
  updated_at: '2026-03-02T17:45:00+00:00',
  due_at: '2026-03-02T18:45:00+00:00',
  escalations: 0,
  escalated_at: null,
  received_at: null,
  acknowledged_at: null,
  ended_at: null,
} satisfies TaskEvent

const seen = { ...TASK, updated_at: '2026-03-02T17:52:00+00:00' }
const received = { ...seen, received_at: seen.updated_at }

function taskEvent(change: TaskChange, meaning: string, example: TaskEvent) {
  return defineEvent({
    name: `task.${change}`,
    data: TaskEvent,
    meaning: `${meaning} The event names the user if known.`,
    isAboutUser: false,
    example,
  })
}

/** Types of the events of tasks, by the change. */
export const TASK_EVENT_TYPES: Readonly<Record<TaskChange, EventType<typeof TaskEvent>>> = {
  created: taskEvent('created', 'A task was opened.', TASK),
  updated: taskEvent('updated', 'A task was seen, or assigned to another person.', {
    ...received,
    status: 'received',
  }),
  acknowledged: taskEvent(
    'acknowledged',
    'A person acknowledged a task. The task of a critical result is completed with it.',
    { ...received, status: 'accepted', acknowledged_at: seen.updated_at },
  ),
  escalated: taskEvent(
    'escalated',
    'A task was not acknowledged in the time that the team set. The event is repeated after the same time, at most 24 times.',
    { ...TASK, updated_at: TASK.due_at, escalations: 1, escalated_at: TASK.due_at },
  ),
  completed: taskEvent('completed', 'A task was completed, by a person or with its reason.', {
    ...received,
    status: 'completed',
    ended_at: seen.updated_at,
  }),
  cancelled: taskEvent('cancelled', 'A task is no longer needed.', {
    ...seen,
    status: 'cancelled',
    ended_at: seen.updated_at,
  }),
}

/** The events that this domain raises. */
export const TASK_EVENTS = Object.values(TASK_EVENT_TYPES)
