import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import {
  AcknowledgeCriticalTask,
  CriticalResultTask,
  CriticalTaskList,
  CriticalTaskQuery,
  ReceiveCriticalTask,
} from './critical-tasks.schema.ts'
import {
  acknowledgeCriticalTask,
  listCriticalTasks,
  receiveCriticalTask,
  showCriticalTask,
} from './critical-tasks.service.ts'

const tags = ['Results']
const LIST = '/v3/critical_result_task'
const ONE = `${LIST}/:task_id`
const params = Type.Object({ task_id: Uuid })

/**
 * Registers the tasks to acknowledge critical results
 * (docs/contract/13-results.md#critical-result-tasks).
 */
export function registerCriticalTaskRoutes(app: App): void {
  app.get(
    LIST,
    {
      config: { personIn: 'query' },
      schema: {
        operationId: 'listCriticalResultTasks',
        tags,
        summary: 'List critical results to acknowledge',
        description:
          'Returns a page of tasks, newest first; by default those that wait for an acknowledgement.',
        querystring: CriticalTaskQuery,
        response: { 200: CriticalTaskList },
      },
    },
    ({ scope, query }) => listCriticalTasks(scope, query),
  )

  app.get(
    ONE,
    {
      schema: {
        operationId: 'getCriticalResultTask',
        tags,
        summary: 'Read a critical result to acknowledge',
        description: 'Returns the task with its critical results. Reading it changes nothing.',
        params,
        response: { 200: CriticalResultTask },
      },
    },
    ({ scope, params: { task_id: id } }) => showCriticalTask(scope, id),
  )
  registerChanges(app)
}

function registerChanges(app: App): void {
  app.post(
    `${ONE}/receive`,
    {
      schema: {
        operationId: 'receiveCriticalResultTask',
        tags,
        summary: 'Record that a critical result was seen',
        description:
          'Records the first person who saw the task, and the time. The task stays open, and its escalations continue.',
        params,
        body: ReceiveCriticalTask,
        'x-body-example': { name: 'Dr. Ines Park' },
        response: { 200: CriticalResultTask },
      },
    },
    ({ scope, params: { task_id: id }, body, actor }) =>
      receiveCriticalTask(scope, id, body, actor),
  )

  app.post(
    `${ONE}/acknowledge`,
    {
      schema: {
        operationId: 'acknowledgeCriticalResultTask',
        tags,
        summary: 'Acknowledge a critical result',
        description:
          'Completes the task with the name of the person and a note, which ends its escalations.',
        params,
        body: AcknowledgeCriticalTask,
        'x-body-example': {
          name: 'Dr. Ines Park',
          note: 'Called the patient, who goes to the emergency department.',
        },
        response: { 200: CriticalResultTask },
      },
    },
    ({ scope, params: { task_id: id }, body, actor }) =>
      acknowledgeCriticalTask(scope, id, body, actor),
  )
}
