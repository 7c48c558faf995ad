import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import type { LabGateways } from '../gateways/index.ts'
import {
  LabMessage,
  LabMessageDetail,
  LabMessageList,
  LabMessageQuery,
} from './lab-messages.schema.ts'
import { discardMessage, getMessage, listMessages, retryMessage } from './lab-messages.service.ts'

const tags = ['Laboratory messages']
const params = Type.Object({ ...ENVIRONMENT_PARAMS, message_id: Uuid })

/**
 * Registers the operator's routes for messages that were not applied, among the routes of managed
 * environments.
 */
export function registerLabMessageRoutes(app: App, { gateways }: { gateways: LabGateways }): void {
  app.get(
    `${ENVIRONMENT_PATH}/lab_message`,
    {
      schema: {
        operationId: 'listLabMessages',
        tags,
        summary: 'List laboratory messages that were not applied',
        description: 'Returns the messages that failed, or those that wait for another attempt.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        querystring: LabMessageQuery,
        response: { 200: LabMessageList },
      },
    },
    ({ scope, query }) => listMessages(scope, query),
  )

  app.get(
    `${ENVIRONMENT_PATH}/lab_message/:message_id`,
    {
      schema: {
        operationId: 'getLabMessage',
        tags,
        summary: 'Read the details of a laboratory message',
        description:
          'Returns the state of a message and its problem, without any personal data of its content.',
        params,
        response: { 200: LabMessageDetail },
      },
    },
    ({ scope, params: { message_id: id } }) => getMessage(scope, gateways, id),
  )

  registerCommands(app)
}

function registerCommands(app: App): void {
  app.post(
    `${ENVIRONMENT_PATH}/lab_message/:message_id/retry`,
    {
      schema: {
        operationId: 'retryLabMessage',
        tags,
        summary: 'Retry a failed laboratory message',
        description:
          'Processes the message again in the background, with the full number of attempts.',
        params,
        response: { 200: LabMessage },
      },
    },
    ({ scope, params: { message_id: id } }) => retryMessage(scope, id),
  )

  app.post(
    `${ENVIRONMENT_PATH}/lab_message/:message_id/discard`,
    {
      schema: {
        operationId: 'discardLabMessage',
        tags,
        summary: 'Discard a failed laboratory message',
        description: 'Discards the message permanently and removes its content.',
        params,
        response: { 200: LabMessage },
      },
    },
    ({ scope, params: { message_id: id } }) => discardMessage(scope, id),
  )
}
