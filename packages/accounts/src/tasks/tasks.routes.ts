import type { App } from '@salus/kernel/http/app-types'
import { CSV_RESPONSE, type CsvColumns, sendCsv } from '@salus/kernel/http/csv'
import Type from 'typebox'
import {
  exportTasks,
  showCounts,
  showTask,
  showTasks,
  taskCommands,
} from './task-commands.service.ts'
import {
  Task,
  TaskAction,
  TaskAssign,
  TaskCounts,
  TaskExportQuery,
  TaskList,
  TaskQuery,
  TaskReceive,
} from './tasks.schema.ts'
import type { FurtherEventsByKind } from './tasks.service.ts'

const tags = ['Tasks']
const LIST = '/v3/task'
const ONE = `${LIST}/:id`
const params = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the task.' }),
})
const NAMED = { name: 'Dr. Ines Park' }

/** Registers the tasks of a team (docs/contract/21-tasks.md). */
export function registerTaskRoutes(app: App, further: FurtherEventsByKind): void {
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listTasks',
        tags,
        summary: 'List tasks',
        description:
          'Returns a page of tasks, by default the open ones, the most urgent first and the oldest of these first.',
        querystring: TaskQuery,
        response: { 200: TaskList },
      },
    },
    ({ scope, query }) => showTasks(scope, query),
  )

  app.get(
    `${LIST}/count`,
    {
      schema: {
        operationId: 'countTasks',
        tags,
        summary: 'Count open tasks',
        description: 'Returns the number of open tasks, and the number of each kind.',
        response: { 200: TaskCounts },
      },
    },
    ({ scope }) => showCounts(scope),
  )

  app.get(
    ONE,
    {
      schema: {
        operationId: 'getTask',
        tags,
        summary: 'Read a task',
        description: 'Returns a task. Reading it changes nothing.',
        params,
        response: { 200: Task },
      },
    },
    ({ scope, params: { id } }) => showTask(scope, id),
  )
  registerExport(app)
  registerSeeing(app, further)
  registerEnding(app, further)
}

function registerExport(app: App): void {
  app.get(
    `${LIST}/export`,
    {
      schema: {
        operationId: 'exportTaskList',
        tags,
        summary: 'Export a list of tasks',
        description: 'Returns all tasks of the list as a file, in its order.',
        querystring: TaskExportQuery,
        response: CSV_RESPONSE,
      },
    },
    async ({ scope, query }, reply) =>
      sendCsv(reply, 'tasks', COLUMNS, await exportTasks(scope, { ...query, limit: PAGE_SIZE })),
  )
}

const PAGE_SIZE = 100

const COLUMNS: CsvColumns<Task> = {
  id: (task) => task.id,
  kind: (task) => task.kind,
  status: (task) => task.status,
  priority: (task) => task.priority,
  user_id: (task) => task.user_id,
  client_user_id: (task) => task.client_user_id,
  focus_type: (task) => task.focus.type,
  focus_id: (task) => task.focus.id,
  owner: (task) => task.owner?.name ?? null,
  opened_at: (task) => task.opened_at,
  due_at: (task) => task.due_at,
  escalations: (task) => task.escalations,
  acknowledged_at: (task) => task.acknowledged_at,
  acknowledged_by: (task) => task.acknowledged_by?.name ?? null,
  ended_at: (task) => task.ended_at,
  ended_by: (task) => task.ended_by?.name ?? null,
  note: (task) => task.note,
}

function registerSeeing(app: App, further: FurtherEventsByKind): void {
  const commands = taskCommands(further)
  app.post(
    `${ONE}/receive`,
    {
      schema: {
        operationId: 'receiveTask',
        tags,
        summary: 'Record that a task was seen',
        description:
          'Records the first person who saw the task, and the time. The escalations of the task continue.',
        params,
        body: TaskReceive,
        'x-body-example': NAMED,
        response: { 200: Task },
      },
    },
    ({ scope, params: { id }, body, actor }) => commands.receive(scope, id, body.name, actor),
  )

  app.post(
    `${ONE}/acknowledge`,
    {
      schema: {
        operationId: 'acknowledgeTask',
        tags,
        summary: 'Acknowledge a task',
        description:
          'Records the person who takes responsibility, and ends the escalations. The task of a critical result is completed, others stay open until their reason ends.',
        params,
        body: TaskAction,
        'x-body-example': { ...NAMED, note: 'Called the patient.' },
        response: { 200: Task },
      },
    },
    ({ scope, params: { id }, body, actor }) => commands.acknowledge(scope, id, body, actor),
  )

  app.post(
    `${ONE}/assign`,
    {
      schema: {
        operationId: 'assignTask',
        tags,
        summary: 'Assign a task',
        description: 'Gives the task to a person, or to no one with null.',
        params,
        body: TaskAssign,
        'x-body-example': { owner: NAMED.name },
        response: { 200: Task },
      },
    },
    ({ scope, params: { id }, body, actor }) => commands.assign(scope, id, body.owner, actor),
  )
}

const ENDS = [
  ['complete', 'completed', 'Complete a task', 'Completes a task whose reason lasts'],
  ['cancel', 'cancelled', 'Cancel a task', 'Cancels a task that is not needed'],
] as const

function registerEnding(app: App, further: FurtherEventsByKind): void {
  const commands = taskCommands(further)
  for (const [action, status, summary, effect] of ENDS) {
    app.post(
      `${ONE}/${action}`,
      {
        schema: {
          operationId: `${action}Task`,
          tags,
          summary,
          description: `${effect}. Only tasks about connections, stuck orders and rules are ended by a person; others end with their reason.`,
          params,
          body: TaskAction,
          'x-body-example': { ...NAMED, note: 'Wrote to the user.' },
          response: { 200: Task },
        },
      },
      ({ scope, params: { id }, body, actor }) => commands.end(scope, id, status, body, actor),
    )
  }
}
