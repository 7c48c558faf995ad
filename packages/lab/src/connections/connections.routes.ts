import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import type { ConnectionParts } from './connection-parts.ts'
import {
  ConnectionName,
  LabConnection,
  LabConnectionCheck,
  LabConnectionImport,
  LabConnectionImportQuery,
  LabConnectionInput,
  LabConnectionList,
  Rehearsal,
  RehearsalInput,
} from './connections.schema.ts'
import {
  checkConnection,
  deleteConnection,
  getLabConnection,
  holdConnection,
  importConnection,
  listLabConnections,
} from './connections.service.ts'
import { registerConnectionMessages } from './messages/connection-messages.routes.ts'
import { rehearse } from './rehearsal.service.ts'

const tags = ['Laboratory connections']
const PATH = `${ENVIRONMENT_PATH}/lab_connection`
const params = Type.Object({ ...ENVIRONMENT_PARAMS, connection: ConnectionName })
/** Sample results of a laboratory have documents. */
const REHEARSAL_BYTES = 64 * 1024 ** 2

const EXAMPLE = {
  config: {
    connection: 'quest-main',
    lab: 'quest',
    profile: 'hl7-2.3-legacy',
    time_zone: 'America/New_York',
    orders: { kind: 'mllp', host: '10.1.2.3', port: 6661 },
    results: { kind: 'mllp-listen', bind: '10.9.0.2', port: 6670, peers: ['10.1.2.3/32'] },
  },
}

/** Registers the operator's routes for connections to laboratories. */
export function registerLabConnectionRoutes(app: App, parts: ConnectionParts): void {
  registerReads(app, parts)
  registerChanges(app, parts)
  registerTrials(app, parts)
  registerConnectionMessages(app, parts)
}

function registerReads(app: App, parts: ConnectionParts): void {
  app.get(
    PATH,
    {
      schema: {
        operationId: 'listLabConnections',
        tags,
        summary: 'List laboratory connections',
        description: 'Returns the connections of the environment with their queues and alerts.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        response: { 200: LabConnectionList },
      },
    },
    async ({ scope }) => ({ data: await listLabConnections(scope, parts) }),
  )
  app.get(
    `${PATH}/:connection`,
    {
      schema: {
        operationId: 'getLabConnection',
        tags,
        summary: 'Read a laboratory connection',
        description: 'Returns one connection. Secrets are named and never returned.',
        params,
        response: { 200: LabConnection },
      },
    },
    ({ scope, params: { connection } }) => getLabConnection(scope, parts, connection),
  )
}

function registerChanges(app: App, parts: ConnectionParts): void {
  app.put(
    `${PATH}/:connection`,
    {
      schema: {
        operationId: 'importLabConnection',
        tags,
        summary: 'Store a laboratory connection',
        description:
          'Checks a configuration and stores it under its name. A stored connection is replaced, ' +
          'and keeps its numbers, its messages and the secrets that are left out.',
        params,
        querystring: LabConnectionImportQuery,
        body: LabConnectionInput,
        'x-body-example': EXAMPLE,
        response: { 200: LabConnectionImport },
      },
    },
    ({ scope, params: { connection }, query, body }) =>
      importConnection(scope, parts, connection, { input: body, isDryRun: query.dry_run ?? false }),
  )
  for (const [command, isHeld, summary, description] of [
    ['hold', true, 'Hold back orders', 'Keeps orders from being sent until they are released.'],
    [
      'release',
      false,
      'Send held orders',
      'Sends orders again; those that wait follow by themselves.',
    ],
  ] as const) {
    app.post(
      `${PATH}/:connection/${command}`,
      {
        schema: {
          operationId: `${command}LabConnection`,
          tags,
          summary,
          description,
          params,
          response: { 200: LabConnection },
        },
      },
      ({ scope, params: { connection } }) => holdConnection(scope, parts, connection, isHeld),
    )
  }
  registerEnd(app, parts)
}

function registerEnd(app: App, parts: ConnectionParts): void {
  app.delete(
    `${PATH}/:connection`,
    {
      schema: {
        operationId: 'deleteLabConnection',
        tags,
        summary: 'End a laboratory connection',
        description:
          'Ends a connection for good and deletes its secrets. Its messages stay with their orders.',
        params,
        response: { 200: Success },
      },
    },
    async ({ scope, params: { connection } }) => {
      await deleteConnection(scope, parts, connection)
      return { success: true }
    },
  )
}

function registerTrials(app: App, parts: ConnectionParts): void {
  app.post(
    `${PATH}/:connection/check`,
    {
      schema: {
        operationId: 'checkLabConnection',
        tags,
        summary: 'Check a laboratory connection',
        description:
          'Tries names, ports, certificates, sign-ins and folders of a connection, and whether the ' +
          'catalog has what it needs. No message is sent.',
        params,
        response: { 200: LabConnectionCheck },
      },
    },
    ({ scope, params: { connection } }) => checkConnection(scope, parts, connection),
  )
  app.post(
    `${PATH}/:connection/rehearse`,
    {
      bodyLimit: REHEARSAL_BYTES,
      schema: {
        operationId: 'rehearseLabConnection',
        tags,
        summary: 'Rehearse a laboratory connection',
        description:
          'Returns the messages that orders would become, and what sample results say. Nothing is ' +
          'sent and nothing is stored.',
        params,
        body: RehearsalInput,
        'x-body-example': { order_ids: [], messages: [] },
        response: { 200: Rehearsal },
      },
    },
    ({ scope, params: { connection }, body }) => rehearse(scope, parts, connection, body),
  )
}
