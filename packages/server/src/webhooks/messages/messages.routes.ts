import type { FastifyRequest } from 'fastify'
import type { App } from '../../platform/http/app-types.ts'
import { Success } from '../../platform/http/schema-types.ts'
import {
  BASE,
  knownTypes,
  type Place,
  tags,
  type WebhookRoutesOptions,
} from '../webhook-routes-options.ts'
import { InEnvironment, OfWebhook } from '../webhooks.schema.ts'
import * as schema from './messages.schema.ts'
import * as messages from './messages.service.ts'

/** Events with their deliveries and attempts, and what sends them again. */
export function registerMessageRoutes(app: App, options: WebhookRoutesOptions): void {
  const { db, clock, catalog, findPlace } = options
  const eventTypes = knownTypes(options)
  const context: ContextOf = async (request, place) => ({
    db,
    clock,
    catalog,
    eventTypes,
    scope: await findPlace(request, place),
  })
  registerEvents(app, context)
  registerAttempts(app, context)
  registerResending(app, context)
}

type ContextOf = (request: FastifyRequest, place: Place) => Promise<messages.MessagesContext>

function registerEvents(app: App, context: ContextOf): void {
  app.get(
    `${BASE}/event`,
    {
      schema: {
        tags,
        summary: 'List events, newest first',
        description: 'Every event is listed, also one that no endpoint got, with the reason.',
        params: InEnvironment,
        querystring: schema.EventListQuery,
        response: { 200: schema.EventList },
      },
    },
    async (request) => messages.listEvents(await context(request, request.params), request.query),
  )
  app.get(
    `${BASE}/event/:event_id`,
    {
      schema: {
        tags,
        summary: 'Get an event with its payload, and why an endpoint did not get it',
        params: schema.OfEvent,
        response: { 200: schema.EventDetail },
      },
    },
    async (request) =>
      messages.getEvent(await context(request, request.params), request.params.event_id),
  )
  app.get(
    `${BASE}/event_type`,
    {
      schema: {
        tags,
        summary: 'List event types with their shapes and examples',
        params: InEnvironment,
        response: { 200: schema.EventTypeList },
      },
    },
    async (request) => {
      const { catalog } = await context(request, request.params)
      return messages.listEventTypes(catalog)
    },
  )
}

function registerAttempts(app: App, context: ContextOf): void {
  app.get(
    `${BASE}/event/:event_id/attempt`,
    {
      schema: {
        tags,
        summary: 'List the attempts to deliver an event, oldest first',
        params: schema.OfEvent,
        response: { 200: schema.AttemptList },
      },
    },
    async (request) =>
      messages.listAttemptsOfEvent(await context(request, request.params), request.params.event_id),
  )
  app.get(
    `${BASE}/webhook/:webhook_id/attempt`,
    {
      schema: {
        tags,
        summary: 'List the attempts at a webhook, newest first',
        params: OfWebhook,
        querystring: schema.AttemptListQuery,
        response: { 200: schema.AttemptList },
      },
    },
    async (request) =>
      messages.listAttemptsOfEndpoint(
        await context(request, request.params),
        request.params.webhook_id,
        request.query,
      ),
  )
}

function registerResending(app: App, context: ContextOf): void {
  app.post(
    `${BASE}/webhook/:webhook_id/event/:event_id/resend`,
    {
      schema: {
        tags,
        summary: 'Send an event to a webhook once more, under the same message id',
        params: schema.OfDelivery,
        response: { 200: schema.EventSummary },
      },
    },
    async (request) => {
      const { webhook_id: webhookId, event_id: eventId } = request.params
      return messages.resendEvent(await context(request, request.params), webhookId, eventId)
    },
  )
  app.post(
    `${BASE}/webhook/:webhook_id/recover`,
    {
      schema: {
        tags,
        summary: 'Send everything since a date that a webhook wants and never got',
        description: 'In the background; what was delivered is not sent again.',
        params: OfWebhook,
        body: schema.Recovery,
        response: { 200: Success },
      },
    },
    async (request) => {
      const { webhook_id: webhookId } = request.params
      await messages.recover(await context(request, request.params), webhookId, request.body)
      return { success: true }
    },
  )
  app.post(
    `${BASE}/webhook/:webhook_id/send_example`,
    {
      schema: {
        tags,
        summary: 'Send an example of an event type to a webhook',
        params: OfWebhook,
        body: schema.ExampleRequest,
        response: { 200: schema.ExampleSent },
      },
    },
    async (request) =>
      messages.sendExample(
        await context(request, request.params),
        request.params.webhook_id,
        request.body.event_type,
      ),
  )
}
