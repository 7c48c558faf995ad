import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import { RowResults } from '@salus/kernel/http/row-results'
import { knownTypes, tags, type WebhookRoutesOptions } from '../webhook-routes-options.ts'
import { InEnvironment, OfWebhook } from '../webhooks.schema.ts'
import * as schema from './messages.schema.ts'
import * as messages from './messages.service.ts'

/** Registers events with their deliveries and attempts, and the operations that send them again. */
export function registerMessageRoutes(app: App, options: WebhookRoutesOptions): void {
  const eventTypes = knownTypes(options)
  registerEvents(app, options.catalog, eventTypes)
  registerAttempts(app, eventTypes)
  registerResending(app, options.catalog)
}

type Catalog = WebhookRoutesOptions['catalog']

function registerEvents(app: App, catalog: Catalog, eventTypes: ReadonlySet<string>): void {
  app.get(
    `${ENVIRONMENT_PATH}/event`,
    {
      schema: {
        operationId: 'listEvents',
        tags,
        summary: 'List events',
        description:
          'Returns all events, the newest first. An event that no endpoint received has a reason.',
        params: InEnvironment,
        querystring: schema.EventListQuery,
        response: { 200: schema.EventList },
      },
    },
    async ({ scope, query }) => messages.listEvents(scope, eventTypes, query),
  )
  app.get(
    `${ENVIRONMENT_PATH}/event/:event_id`,
    {
      schema: {
        operationId: 'getEvent',
        tags,
        summary: 'Get an event',
        description:
          'Returns the event with the payload that endpoints receive, the state of each delivery, and the endpoints that did not receive it, each with the reason.',
        params: schema.OfEvent,
        response: { 200: schema.EventDetail },
      },
    },
    async ({ scope, params }) => messages.getEvent(scope, params.event_id),
  )
  app.get(
    `${ENVIRONMENT_PATH}/event_type`,
    {
      schema: {
        operationId: 'listEventTypes',
        tags,
        summary: 'List event types',
        description: 'Returns every event type with the JSON Schema of its data and an example.',
        params: InEnvironment,
        response: { 200: schema.EventTypeList },
      },
    },
    async () => messages.listEventTypes(catalog),
  )
}

function registerAttempts(app: App, eventTypes: ReadonlySet<string>): void {
  app.get(
    `${ENVIRONMENT_PATH}/event/:event_id/attempt`,
    {
      schema: {
        operationId: 'listEventAttempts',
        tags,
        summary: 'List the attempts to deliver an event',
        description:
          'Returns the attempts at all endpoints, the oldest first, with status and duration.',
        params: schema.OfEvent,
        response: { 200: schema.AttemptList },
      },
    },
    async ({ scope, params }) => messages.listAttemptsOfEvent(scope, params.event_id),
  )
  app.get(
    `${ENVIRONMENT_PATH}/webhook/:webhook_id/attempt`,
    {
      schema: {
        operationId: 'listWebhookAttempts',
        tags,
        summary: 'List the attempts of a webhook',
        description:
          'Returns the attempts for all events, the newest first, with status and duration.',
        params: OfWebhook,
        querystring: schema.AttemptListQuery,
        response: { 200: schema.AttemptList },
      },
    },
    async ({ scope, params, query }) =>
      messages.listAttemptsOfEndpoint(scope, eventTypes, params.webhook_id, query),
  )
}

function registerResending(app: App, catalog: Catalog): void {
  app.post(
    `${ENVIRONMENT_PATH}/webhook/:webhook_id/event/:event_id/resend`,
    {
      schema: {
        operationId: 'resendEvent',
        tags,
        summary: 'Resend an event to a webhook',
        description:
          'Sends the event again with the same message id, whether or not it was delivered before.',
        params: schema.OfDelivery,
        response: { 200: schema.EventSummary },
      },
    },
    async ({ scope, params }) => messages.resendEvent(scope, params.webhook_id, params.event_id),
  )
  app.post(
    `${ENVIRONMENT_PATH}/webhook/:webhook_id/resend`,
    {
      schema: {
        operationId: 'resendEvents',
        tags,
        summary: 'Resend several events to a webhook',
        description:
          'Sends each event again, as for one event. A refusal of one does not stop the others.',
        params: OfWebhook,
        body: schema.Resending,
        'x-body-example': { event_ids: ['msg_01KAF8Q4ZJ9M3B6T1V5X7Y2W0C'] },
        response: { 200: RowResults },
      },
    },
    async ({ scope, params, body }) =>
      messages.resendEvents(scope, params.webhook_id, body.event_ids),
  )
  registerRecovery(app, catalog)
}

function registerRecovery(app: App, catalog: Catalog): void {
  app.post(
    `${ENVIRONMENT_PATH}/webhook/:webhook_id/recover`,
    {
      schema: {
        operationId: 'recoverWebhook',
        tags,
        summary: 'Recover the failed events of a webhook',
        description:
          'Sends the events since a date that match the filters of the webhook and were not delivered. Sending runs in the background.',
        params: OfWebhook,
        body: schema.Recovery,
        'x-body-example': { since: '2026-02-01T00:00:00Z' },
        response: { 200: Success },
      },
    },
    async ({ scope, params, body }) => {
      await messages.recoverWebhook(scope, params.webhook_id, body)
      return { success: true }
    },
  )
  app.post(
    `${ENVIRONMENT_PATH}/webhook/:webhook_id/send_example`,
    {
      schema: {
        operationId: 'sendWebhookExample',
        tags,
        summary: 'Send an example event to a webhook',
        description:
          'Sends an example of the event type, to test an endpoint. It contains no data of a user.',
        params: OfWebhook,
        body: schema.ExampleRequest,
        'x-body-example': { event_type: 'daily.data.steps.created' },
        response: { 200: schema.ExampleSent },
      },
    },
    async ({ scope, params, body }) =>
      messages.sendExample(scope, catalog, params.webhook_id, body.event_type),
  )
}
