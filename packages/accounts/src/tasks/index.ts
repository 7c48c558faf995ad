import './tasks.tables.ts'

export { escalateTasks } from './escalate-tasks.service.ts'
export { acknowledgeLocked, receiveLocked } from './task-commands.service.ts'
export { TASK_EVENTS, type TaskChange } from './tasks.events.ts'
export type { TaskReasons } from './tasks.global.repository.ts'
export { taskJobs } from './tasks.jobs.ts'
export { TASK_PRIORITIES, type TaskKind, type TaskPriority } from './tasks.registry.ts'
export {
  countTasks,
  deleteTasksOf,
  findOpenTask,
  lockTask,
  type TaskRow,
} from './tasks.repository.ts'
export { registerTaskRoutes } from './tasks.routes.ts'
export { TaskFilters, TaskPerformer } from './tasks.schema.ts'
export {
  changeTask,
  endedBy,
  endTasks,
  type FurtherEvents,
  type FurtherEventsByKind,
  openTask,
} from './tasks.service.ts'
