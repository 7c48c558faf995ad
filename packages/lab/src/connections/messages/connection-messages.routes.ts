import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import {
  ConnectionName,
  OutgoingLabMessage,
  OutgoingLabMessageList,
  OutgoingLabMessageQuery,
} from '../connections.schema.ts'
import {
  type MessageViewParts,
  OutgoingLabMessageDetail,
  ReceivedLabMessageDetail,
  ReceivedLabMessageList,
  ReceivedLabMessageQuery,
} from './message-views.schema.ts'
import {
  getOutgoingMessage,
  listOutgoingMessages,
  resendMessage,
} from './outgoing-messages.service.ts'
import { getReceivedMessage, listReceivedMessages } from './received-messages.service.ts'

const tags = ['Laboratory connections']
const PATH = `${ENVIRONMENT_PATH}/lab_connection/:connection`
const params = Type.Object({ ...ENVIRONMENT_PARAMS, connection: ConnectionName })
const messageParams = Type.Object({ ...params.properties, message_id: Uuid })

/** Registers the operator's routes for the messages of connections, in both directions. */
export function registerConnectionMessages(app: App, parts: MessageViewParts): void {
  registerOutgoing(app, parts)
  registerReceived(app, parts)
}

function registerOutgoing(app: App, parts: MessageViewParts): void {
  app.get(
    `${PATH}/message`,
    {
      schema: {
        operationId: 'listOutgoingLabMessages',
        tags,
        summary: 'List messages to a laboratory',
        description: 'Returns the messages of a connection, newest first, without their content.',
        params,
        querystring: OutgoingLabMessageQuery,
        response: { 200: OutgoingLabMessageList },
      },
    },
    ({ scope, params: { connection }, query }) => listOutgoingMessages(scope, connection, query),
  )
  app.get(
    `${PATH}/message/:message_id`,
    {
      schema: {
        operationId: 'getOutgoingLabMessage',
        tags,
        summary: 'Read a message to a laboratory',
        description:
          'Returns a message and its answer with their bytes and named fields. It has personal ' +
          'data of the patient.',
        params: messageParams,
        response: { 200: OutgoingLabMessageDetail },
      },
    },
    ({ scope, params: { connection, message_id: id } }) =>
      getOutgoingMessage(scope, parts, connection, id),
  )
  app.post(
    `${PATH}/message/:message_id/resend`,
    {
      schema: {
        operationId: 'resendOutgoingLabMessage',
        tags,
        summary: 'Send a message to a laboratory again',
        description:
          'Sends the same bytes again in the background. The answer to it replaces a refusal; what ' +
          'the laboratory accepted stays accepted.',
        params: messageParams,
        response: { 200: OutgoingLabMessage },
      },
    },
    ({ scope, params: { connection, message_id: id } }) => resendMessage(scope, connection, id),
  )
}

function registerReceived(app: App, parts: MessageViewParts): void {
  app.get(
    `${PATH}/received`,
    {
      schema: {
        operationId: 'listReceivedLabMessages',
        tags,
        summary: 'List messages of a laboratory',
        description:
          'Returns the messages that came over a connection, newest first, without their content.',
        params,
        querystring: ReceivedLabMessageQuery,
        response: { 200: ReceivedLabMessageList },
      },
    },
    ({ scope, params: { connection }, query }) => listReceivedMessages(scope, connection, query),
  )
  app.get(
    `${PATH}/received/:message_id`,
    {
      schema: {
        operationId: 'getReceivedLabMessage',
        tags,
        summary: 'Read a message of a laboratory',
        description:
          'Returns a message with its bytes and named fields, and what is wrong with it. It has ' +
          'personal data of the patient.',
        params: messageParams,
        response: { 200: ReceivedLabMessageDetail },
      },
    },
    ({ scope, params: { connection, message_id: id } }) =>
      getReceivedMessage(scope, parts, connection, id),
  )
}
