import type { ColumnType, Generated } from 'kysely'
import type { FocusType, TaskKind, TaskStatus } from './tasks.registry.ts'
import type { TaskPerformer } from './tasks.schema.ts'

type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>

export interface TasksTable {
  environment_id: string
  id: string
  kind: TaskKind
  status: TaskStatus
  /** Index in TASK_PRIORITIES. */
  priority: number
  focus_type: FocusType
  focus_id: string
  /** Null for what belongs to no person, or to one who is not known. */
  user_id: string | null
  /** The version of an order's results; null for other tasks than those of critical results. */
  order_id: Generated<string | null>
  result_version: Generated<number | null>
  result_status: Generated<string | null>
  opened_at: Date
  updated_at: Date
  /** Time until which it was to be acknowledged; null without one. */
  due_at: Date | null
  /** Time of the next escalation; null when none will follow. */
  escalate_at: Date | null
  escalated_at: Generated<Date | null>
  escalations: Generated<number>
  /** Own time of escalation, instead of that of the kind. */
  escalation_minutes: Generated<number | null>
  received_at: Generated<Date | null>
  received_by: NullableJson<TaskPerformer>
  acknowledged_at: Generated<Date | null>
  acknowledged_by: NullableJson<TaskPerformer>
  owner: NullableJson<TaskPerformer>
  ended_at: Generated<Date | null>
  /** Null when the task ended with its reason. */
  ended_by: NullableJson<TaskPerformer>
  note: Generated<string | null>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    tasks: TasksTable
  }
}
