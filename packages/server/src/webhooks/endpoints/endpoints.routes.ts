import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { App } from '../../platform/http/app-types.ts'
import {
  BASE,
  knownTypes,
  type Place,
  tags,
  type WebhookRoutesOptions,
} from '../webhook-routes-options.ts'
import * as schema from '../webhooks.schema.ts'
import * as secrets from './endpoint-secrets.ts'
import * as endpoints from './endpoints.service.ts'

const NoContent = Type.Null({ description: 'Done.' })

/** Endpoints, their custom headers and their secrets (contract 08, section 6). */
export function registerEndpointRoutes(app: App, options: WebhookRoutesOptions): void {
  const { db, clock, config, findPlace } = options
  const eventTypes = knownTypes(options)
  const urlPolicy = {
    allowHttp: config.webhooksAllowHttp,
    allowPrivate: config.webhooksAllowPrivate,
  }
  const context = async (
    request: FastifyRequest,
    place: Place,
  ): Promise<endpoints.EndpointsContext> => {
    const { environmentId } = await findPlace(request, place)
    return { db, clock, secrets: options.secrets, urlPolicy, eventTypes, environmentId }
  }
  registerCollection(app, context)
  registerSingle(app, context)
  registerHeaders(app, context)
  registerSecret(app, context)
}

type ContextOf = (request: FastifyRequest, place: Place) => Promise<endpoints.EndpointsContext>

const LIST = `${BASE}/webhook`
const ONE = `${LIST}/:webhook_id`

function registerCollection(app: App, context: ContextOf): void {
  app.get(
    LIST,
    {
      schema: {
        tags,
        summary: 'List webhooks',
        params: schema.InEnvironment,
        querystring: schema.PageQuery,
        response: { 200: schema.WebhookList },
      },
    },
    async (request) =>
      endpoints.listEndpoints(await context(request, request.params), request.query),
  )
  app.post(
    LIST,
    {
      schema: {
        tags,
        summary: 'Create a webhook; it gets the events from now on',
        params: schema.InEnvironment,
        body: schema.WebhookCreate,
        response: { 200: schema.Webhook },
      },
    },
    async (request) =>
      endpoints.createEndpoint(await context(request, request.params), request.body),
  )
}

function registerSingle(app: App, context: ContextOf): void {
  const params = schema.OfWebhook
  app.get(
    ONE,
    { schema: { tags, summary: 'Get a webhook', params, response: { 200: schema.Webhook } } },
    async (request) =>
      endpoints.toWebhook(
        await endpoints.getEndpoint(
          await context(request, request.params),
          request.params.webhook_id,
        ),
      ),
  )
  app.patch(
    ONE,
    {
      schema: {
        tags,
        summary: 'Change a webhook',
        description: 'Disabling one cancels what waits for it; it can be recovered later.',
        params,
        body: schema.WebhookUpdate,
        response: { 200: schema.Webhook },
      },
    },
    async (request) =>
      endpoints.updateEndpoint(
        await context(request, request.params),
        request.params.webhook_id,
        request.body,
      ),
  )
  app.delete(
    ONE,
    { schema: { tags, summary: 'Remove a webhook', params, response: { 204: NoContent } } },
    async (request, reply) => {
      const { webhook_id: id } = request.params
      await endpoints.deleteEndpoint(await context(request, request.params), id)
      return reply.code(204).send(null)
    },
  )
}

function registerHeaders(app: App, context: ContextOf): void {
  const params = schema.OfWebhook
  app.get(
    `${ONE}/headers`,
    {
      schema: {
        tags,
        summary: 'Custom headers of a webhook, without values that may be credentials',
        params,
        response: { 200: schema.WebhookHeaders },
      },
    },
    async (request) =>
      secrets.getHeaders(await context(request, request.params), request.params.webhook_id),
  )
  app.put(
    `${ONE}/headers`,
    {
      schema: {
        tags,
        summary: 'Replace the custom headers of a webhook',
        params,
        body: schema.WebhookHeadersUpdate,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { webhook_id: id } = request.params
      await secrets.putHeaders(await context(request, request.params), id, request.body.headers)
      return reply.code(204).send(null)
    },
  )
}

function registerSecret(app: App, context: ContextOf): void {
  const params = schema.OfWebhook
  app.get(
    `${ONE}/secret`,
    {
      schema: {
        tags,
        summary: 'The secret that signs the messages of a webhook',
        params,
        response: { 200: schema.WebhookSecret },
      },
    },
    async (request) =>
      secrets.getSecret(await context(request, request.params), request.params.webhook_id),
  )
  app.post(
    `${ONE}/secret/rotate`,
    {
      schema: {
        tags,
        summary: 'Set another secret',
        description: 'For 24 hours messages carry a signature by the former one too.',
        params,
        body: schema.SecretRotation,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { webhook_id: id } = request.params
      await secrets.rotateSecret(await context(request, request.params), id, request.body.key)
      return reply.code(204).send(null)
    },
  )
}
