/** Values of `Task.status` in FHIR that a task can have here. */
export const TASK_STATUSES = [
  'requested',
  'received',
  'accepted',
  'completed',
  'cancelled',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** Statuses of tasks whose work is not done. */
export const OPEN_TASK_STATUSES = [
  'requested',
  'received',
  'accepted',
] as const satisfies readonly TaskStatus[]

/** Values of `Task.priority` in FHIR, the most urgent first: the database has their index. */
export const TASK_PRIORITIES = ['stat', 'asap', 'urgent', 'routine'] as const
export type TaskPriority = (typeof TASK_PRIORITIES)[number]

/** Records that tasks are about. */
export const FOCUS_TYPES = [
  'order',
  'unmatched_result',
  'lab_report',
  'provider_connection',
  'lab_connection',
  'rule_episode',
  'user',
] as const
export type FocusType = (typeof FOCUS_TYPES)[number]

interface KindRow {
  priority: TaskPriority
  /** Whether a person may end the task although its reason lasts. */
  isEndedByPerson: boolean
  /** Whether the acknowledgement is all that the task is for, and completes it. */
  isDoneWhenAcknowledged: boolean
}

const ENDS_WITH_REASON = { isEndedByPerson: false, isDoneWhenAcknowledged: false }
const MAY_BE_ENDED = { isEndedByPerson: true, isDoneWhenAcknowledged: false }

/** Kinds of tasks (docs/contract/21-tasks.md#kinds). */
export const TASK_KINDS = {
  critical_result: {
    priority: 'stat',
    isEndedByPerson: false,
    isDoneWhenAcknowledged: true,
  },
  patient_mismatch: {
    priority: 'asap',
    ...ENDS_WITH_REASON,
  },
  unmatched_result: {
    priority: 'urgent',
    ...ENDS_WITH_REASON,
  },
  stuck_order: {
    priority: 'urgent',
    ...MAY_BE_ENDED,
  },
  lab_connection: {
    priority: 'urgent',
    ...MAY_BE_ENDED,
  },
  rule: {
    priority: 'routine',
    ...MAY_BE_ENDED,
  },
  lab_report_review: {
    priority: 'routine',
    ...ENDS_WITH_REASON,
  },
  provider_connection: {
    priority: 'routine',
    ...MAY_BE_ENDED,
  },
  erasure_request: {
    priority: 'routine',
    ...MAY_BE_ENDED,
  },
} as const satisfies Record<string, KindRow>

export type TaskKind = keyof typeof TASK_KINDS

/** Names of the kinds, the most urgent first. */
export const TASK_KIND_NAMES = Object.keys(TASK_KINDS) as [TaskKind, ...TaskKind[]]
