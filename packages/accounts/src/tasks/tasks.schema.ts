import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { FOCUS_TYPES, TASK_KIND_NAMES, TASK_PRIORITIES, TASK_STATUSES } from './tasks.registry.ts'

/** Tasks of a team (docs/contract/21-tasks.md). */

const NullableTime = (description: string) =>
  Nullable(Type.String({ format: 'date-time', description }))

export const TaskPerformer = Type.Object(
  {
    name: Type.String({ description: 'Name or id of the person, as the request named them.' }),
    actor_kind: Nullable(Type.String({ description: 'Kind of the credential of the request.' })),
    actor_id: Nullable(
      Type.String({ description: 'Id of the credential of the request, as in the audit log.' }),
    ),
  },
  { title: 'TaskPerformer' },
)
export type TaskPerformer = Type.Static<typeof TaskPerformer>

const Kind = TextEnum(TASK_KIND_NAMES, { description: 'Kind of the reason of the task.' })
const Status = TextEnum(TASK_STATUSES, {
  description:
    'Status as in a FHIR Task. `requested`: opened; `received`: a person has seen it; `accepted`: a person has acknowledged it, and its reason lasts; `completed`: done; `cancelled`: no longer needed.',
})

const facts = {
  id: Uuid,
  kind: Kind,
  status: Status,
  priority: TextEnum(TASK_PRIORITIES, {
    description: 'Priority as in a FHIR Task, `stat` being the most urgent.',
  }),
  focus: Type.Object(
    { type: TextEnum(FOCUS_TYPES), id: Uuid },
    { description: 'The record that the task is about.' },
  ),
  user_id: Nullable(Type.String({ format: 'uuid', description: 'The user, where one is known.' })),
  opened_at: DateTime,
  updated_at: DateTime,
  due_at: NullableTime('Time until which it was to be acknowledged; null without one.'),
  escalations: Type.Integer({ description: 'Number of escalations so far.' }),
  escalated_at: NullableTime('Time of the newest escalation.'),
  received_at: NullableTime('Time at which a person saw it first.'),
  acknowledged_at: Nullable(DateTime),
  ended_at: NullableTime('Time at which it was completed or cancelled.'),
}

export const Task = Type.Object(
  {
    ...facts,
    client_user_id: Nullable(Type.String()),
    escalate_at: NullableTime('Time of the next escalation; null when none will follow.'),
    received_by: Nullable(TaskPerformer),
    acknowledged_by: Nullable(TaskPerformer),
    owner: Nullable(TaskPerformer),
    ended_by: Nullable(TaskPerformer),
    note: Nullable(Type.String({ description: 'Note of the person who acted last.' })),
  },
  { title: 'Task' },
)
export type Task = Type.Static<typeof Task>

/** Payload of the events of a task: no values, no note and no names. */
export const TaskEvent = Type.Object({ ...facts, team_id: Uuid }, { title: 'TaskEvent' })
export type TaskEvent = Type.Static<typeof TaskEvent>

const TASK_ORDERS = ['priority', 'opened_at'] as const

export const TaskQuery = Type.Object({
  ...pageQuery(100),
  kind: Type.Optional(Kind),
  status: Type.Optional(
    TextEnum(TASK_STATUSES, {
      description: 'Filters by status. By default, returns open tasks.',
    }),
  ),
  user_id: Type.Optional(Uuid),
  focus_id: Type.Optional(Uuid),
  owner: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Name of the owner.' }),
  ),
  is_assigned: Type.Optional(Type.Boolean({ description: 'Filters by whether it has an owner.' })),
  is_escalated: Type.Optional(
    Type.Boolean({ description: 'Filters by whether it was escalated.' }),
  ),
  order_by: Type.Optional(
    TextEnum(TASK_ORDERS, {
      default: 'priority',
      description:
        '`priority`: the most urgent first, and the oldest of these first; `opened_at`: newest first.',
    }),
  ),
})
export type TaskQuery = Type.Static<typeof TaskQuery>

/** Filters of the list whose tasks are written into a file. */
export const TaskExportQuery = Type.Omit(TaskQuery, ['limit', 'next_cursor'])

/** Filters of a saved view, which names no person: neither the owner nor whom a task is about. */
export const TaskFilters = Type.Object(
  Type.Pick(TaskQuery, ['kind', 'status', 'is_assigned', 'is_escalated', 'order_by']).properties,
  { title: 'TaskFilters', additionalProperties: false },
)

export const TaskList = Type.Object(
  { data: Type.Array(Task), next_cursor: Nullable(Type.String()) },
  { title: 'TaskList' },
)
export type TaskList = Type.Static<typeof TaskList>

export const TaskCounts = Type.Object(
  {
    open: Type.Integer({ description: 'Number of open tasks.' }),
    unacknowledged: Type.Integer({ description: 'Those without an acknowledgement.' }),
    escalated: Type.Integer({ description: 'Those that were escalated.' }),
    kinds: Type.Array(Type.Object({ kind: Kind, open: Type.Integer() })),
  },
  { title: 'TaskCounts' },
)
export type TaskCounts = Type.Static<typeof TaskCounts>

const closed = { additionalProperties: false }
const PerformerName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Name of the person, or their id in a system of the team.',
})
const Note = Type.Optional(Nullable(Type.String({ maxLength: 2000 })))

export const TaskReceive = Type.Object({ name: PerformerName }, { title: 'TaskReceive', ...closed })

export const TaskAction = Type.Object(
  { name: PerformerName, note: Note },
  { title: 'TaskAction', ...closed },
)
export type TaskAction = Type.Static<typeof TaskAction>

export const TaskAssign = Type.Object(
  { owner: Nullable(PerformerName) },
  { title: 'TaskAssign', ...closed },
)
