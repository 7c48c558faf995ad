import { TaskPerformer } from '@salus/accounts/tasks'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { BiomarkerResult, RESULT_STATUSES } from '../results.schema.ts'

/** Tasks to acknowledge critical results (docs/contract/13-results.md#critical-result-tasks). */

/** The values of `Task.status` in FHIR that a task can have here. */
export const CRITICAL_TASK_STATUSES = ['requested', 'received', 'completed', 'cancelled'] as const
export type CriticalTaskStatus = (typeof CRITICAL_TASK_STATUSES)[number]

/** Statuses of tasks that wait for an acknowledgement. */
export const OPEN_STATUSES: readonly CriticalTaskStatus[] = ['requested', 'received']

const TaskStatus = TextEnum(CRITICAL_TASK_STATUSES, {
  description:
    'Status as in a FHIR Task. `requested`: opened; `received`: a person has seen it; `completed`: acknowledged; `cancelled`: the version of the results was removed.',
})

const CriticalTaskPerformer = Type.Object(TaskPerformer.properties, {
  title: 'CriticalTaskPerformer',
})

const facts = {
  id: Uuid,
  order_id: Uuid,
  user_id: Uuid,
  sample_id: Nullable(
    Type.String({ description: 'Sample id by which the laboratory knows the order.' }),
  ),
  result_version: Type.Integer({
    description: 'Version of the results in which a result became critical.',
  }),
  result_status: TextEnum(RESULT_STATUSES),
  status: TaskStatus,
  opened_at: DateTime,
  updated_at: DateTime,
  escalations: Type.Integer({ description: 'Number of escalations so far.' }),
  escalated_at: Nullable(DateTime),
  received_at: Nullable(DateTime),
  acknowledged_at: Nullable(DateTime),
}

export const CriticalResultTask = Type.Object(
  {
    ...facts,
    escalate_at: Nullable(
      Type.String({
        format: 'date-time',
        description: 'Time of the next escalation; null when none will follow.',
      }),
    ),
    received_by: Nullable(CriticalTaskPerformer),
    acknowledged_by: Nullable(CriticalTaskPerformer),
    note: Nullable(Type.String({ description: 'Note of the acknowledgement.' })),
    results: Type.Array(BiomarkerResult, {
      description: 'Critical results of the version; empty after the version was removed.',
    }),
  },
  { title: 'CriticalResultTask' },
)
export type CriticalResultTask = Type.Static<typeof CriticalResultTask>

/** Payload of the events of a task: no values, no note and no names. */
export const CriticalResultTaskEvent = Type.Object(
  { ...facts, team_id: Uuid },
  { title: 'CriticalResultTaskEvent' },
)
export type CriticalResultTaskEvent = Type.Static<typeof CriticalResultTaskEvent>

export const CriticalTaskQuery = Type.Object({
  ...pageQuery(100),
  status: Type.Optional(
    TextEnum(CRITICAL_TASK_STATUSES, {
      description:
        'Filters by status. By default, returns the tasks that wait for an acknowledgement.',
    }),
  ),
  user_id: Type.Optional(Uuid),
  order_id: Type.Optional(Uuid),
})
export type CriticalTaskQuery = Type.Static<typeof CriticalTaskQuery>

export const CriticalTaskList = Type.Object(
  { data: Type.Array(CriticalResultTask), next_cursor: Nullable(Type.String()) },
  { title: 'CriticalResultTaskList' },
)

const closed = { additionalProperties: false }
const PerformerName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Name of the person, or their id in a system of the team.',
})

export const ReceiveCriticalTask = Type.Object(
  { name: PerformerName },
  { title: 'ReceiveCriticalResultTask', ...closed },
)
export type ReceiveCriticalTask = Type.Static<typeof ReceiveCriticalTask>

export const AcknowledgeCriticalTask = Type.Object(
  {
    name: PerformerName,
    note: Type.Optional(
      Nullable(Type.String({ maxLength: 2000, description: 'Action that followed the result.' })),
    ),
  },
  { title: 'AcknowledgeCriticalResultTask', ...closed },
)
export type AcknowledgeCriticalTask = Type.Static<typeof AcknowledgeCriticalTask>
