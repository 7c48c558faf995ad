import { Success } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import { knownTypes, tags, type WebhookRoutesOptions } from '../webhook-routes-options.ts'
import { InEnvironment, OfWebhook } from '../webhooks.schema.ts'
import * as schema from './messages.schema.ts'
import * as messages from './messages.service.ts'

/** Events with their deliveries and attempts, and what sends them again. */
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
        summary: 'List events, newest first',
        description: 'Every event is listed, also one that no endpoint got, with the reason.',
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
        summary: 'Get an event with its payload, and why an endpoint did not get it',
        description: 'The event as endpoints get it, and the state of each delivery.',
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
        summary: 'List event types with their shapes and examples',
        description: 'Every type that can come, with the JSON Schema of its data.',
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
        summary: 'List the attempts to deliver an event, oldest first',
        description: 'At all endpoints, with status and duration.',
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
        summary: 'List the attempts at a webhook, newest first',
        description: 'Of all events, with status and duration.',
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
        summary: 'Send an event to a webhook once more, under the same message id',
        description: 'Whatever became of it before.',
        params: schema.OfDelivery,
        response: { 200: schema.EventSummary },
      },
    },
    async ({ scope, params }) => messages.resendEvent(scope, params.webhook_id, params.event_id),
  )
  app.post(
    `${ENVIRONMENT_PATH}/webhook/:webhook_id/recover`,
    {
      schema: {
        operationId: 'recoverWebhook',
        tags,
        summary: 'Send everything since a date that a webhook wants and never got',
        description: 'In the background; what was delivered is not sent again.',
        params: OfWebhook,
        body: schema.Recovery,
        'x-body-example': { since: '2026-02-01T00:00:00Z' },
        response: { 200: Success },
      },
    },
    async ({ scope, params, body }) => {
      await messages.recover(scope, params.webhook_id, body)
      return { success: true }
    },
  )
  app.post(
    `${ENVIRONMENT_PATH}/webhook/:webhook_id/send_example`,
    {
      schema: {
        operationId: 'sendWebhookExample',
        tags,
        summary: 'Send an example of an event type to a webhook',
        description: 'To try an endpoint out. Nothing of it is about a person.',
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
