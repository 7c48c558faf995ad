import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { knownTypes, tags, type WebhookRoutesOptions } from '../webhook-routes-options.ts'
import * as schema from '../webhooks.schema.ts'
import { getAttemptHistogram } from './attempt-histogram.service.ts'
import * as endpointSecrets from './endpoint-secrets.ts'
import { listEndpointStatus } from './endpoint-status.service.ts'
import * as endpoints from './endpoints.service.ts'

const NoContent = Type.Null({ description: 'Done.' })

/**
 * Registers endpoints, their custom headers and their secrets
 * (docs/contract/08-webhooks-and-events.md#webhook-management).
 */
export function registerEndpointRoutes(app: App, options: WebhookRoutesOptions): void {
  const { config, secrets } = options
  const eventTypes = knownTypes(options)
  const urlPolicy = {
    allowHttp: config.webhooksAllowHttp,
    allowPrivate: config.webhooksAllowPrivate,
  }
  const rules = { secrets, urlPolicy, eventTypes }
  registerCollection(app, rules)
  registerSingle(app, rules)
  registerHistogram(app)
  registerHeaders(app, secrets)
  registerSecret(app, secrets)
}

const LIST = `${ENVIRONMENT_PATH}/webhook`
const ONE = `${LIST}/:webhook_id`

function registerCollection(app: App, rules: endpoints.EndpointRules): void {
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'List webhooks',
        description: 'Returns the endpoints of one environment of a team.',
        params: schema.InEnvironment,
        querystring: schema.PageQuery,
        response: { 200: schema.WebhookList },
      },
    },
    async ({ scope, query }) => endpoints.listEndpoints(scope, query),
  )
  app.post(
    LIST,
    {
      schema: {
        operationId: 'createWebhook',
        tags,
        summary: 'Create a webhook',
        description:
          'Creates an endpoint, to which signed events are sent from now on. Its secret is read by a separate request.',
        params: schema.InEnvironment,
        body: schema.WebhookCreate,
        'x-body-example': { url: 'https://hooks.example.com/salus', description: 'Our server' },
        response: { 200: schema.Webhook },
      },
    },
    ({ scope, body }) => endpoints.createEndpoint(scope, rules, body),
  )
  app.get(
    `${ENVIRONMENT_PATH}/webhook_status`,
    {
      schema: {
        operationId: 'listWebhookStatus',
        tags,
        summary: 'List the delivery status of webhooks',
        description:
          'Returns the pending messages, the retries, the successes and failures, and the durations of each webhook.',
        params: schema.InEnvironment,
        querystring: schema.WebhookStatusQuery,
        response: { 200: schema.WebhookStatusList },
      },
    },
    ({ scope, query }) => listEndpointStatus(scope, query.hours),
  )
}

function registerSingle(app: App, rules: endpoints.EndpointRules): void {
  const params = schema.OfWebhook
  app.get(
    ONE,
    {
      schema: {
        operationId: 'getWebhook',
        tags,
        summary: 'Get a webhook',
        description:
          'Returns the webhook with its filters and, if it is disabled, with the reason.',
        params,
        response: { 200: schema.Webhook },
      },
    },
    async ({ scope, params: { webhook_id: id } }) =>
      endpoints.toWebhook(await endpoints.getEndpoint(scope, id)),
  )
  app.patch(
    ONE,
    {
      schema: {
        operationId: 'updateWebhook',
        tags,
        summary: 'Update a webhook',
        description:
          'Changes the fields that the body contains. Disabling a webhook cancels its pending messages; they can be recovered later.',
        params,
        body: schema.WebhookUpdate,
        'x-body-example': { description: 'Our other server' },
        response: { 200: schema.Webhook },
      },
    },
    ({ scope, params: { webhook_id: id }, body }) =>
      endpoints.updateEndpoint(scope, rules, id, body),
  )
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'deleteWebhook',
        tags,
        summary: 'Delete a webhook',
        description: 'Deletes the webhook. Its pending messages are no longer sent.',
        params,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { webhook_id: id } = request.params
      await endpoints.deleteEndpoint(request.scope, id)
      return reply.code(204).send(null)
    },
  )
}

function registerHistogram(app: App): void {
  app.get(
    `${ONE}/attempt_histogram`,
    {
      schema: {
        operationId: 'getWebhookAttemptHistogram',
        tags,
        summary: 'Get the histogram of attempts of a webhook',
        description:
          'Returns the successful and the failed attempts of each hour of the last day, or of each of the last 30 days.',
        params: schema.OfWebhook,
        querystring: schema.HistogramQuery,
        response: { 200: schema.AttemptHistogram },
      },
    },
    ({ scope, params: { webhook_id: id }, query }) =>
      getAttemptHistogram(scope, id, query.interval),
  )
}

function registerHeaders(app: App, secrets: SecretBox): void {
  const params = schema.OfWebhook
  app.get(
    `${ONE}/headers`,
    {
      schema: {
        operationId: 'getWebhookHeaders',
        tags,
        summary: 'Get the custom headers of a webhook',
        description:
          'Returns the headers that are sent with every message, without values that may be credentials.',
        params,
        response: { 200: schema.WebhookHeaders },
      },
    },
    async ({ scope, params: { webhook_id: id } }) => endpointSecrets.getHeaders(scope, secrets, id),
  )
  app.put(
    `${ONE}/headers`,
    {
      schema: {
        operationId: 'replaceWebhookHeaders',
        tags,
        summary: 'Replace the custom headers of a webhook',
        description:
          'Replaces all custom headers. Headers that the body does not name are removed.',
        params,
        body: schema.WebhookHeadersUpdate,
        'x-body-example': { headers: { 'x-kind': 'health' } },
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { webhook_id: id } = request.params
      await endpointSecrets.putHeaders(request.scope, secrets, id, request.body.headers)
      return reply.code(204).send(null)
    },
  )
}

function registerSecret(app: App, secrets: SecretBox): void {
  const params = schema.OfWebhook
  app.get(
    `${ONE}/secret`,
    {
      schema: {
        operationId: 'getWebhookSecret',
        tags,
        summary: 'Get the secret of a webhook',
        description:
          'Returns the secret with which the messages are signed and can be verified. Anyone who has it can forge messages.',
        params,
        response: { 200: schema.WebhookSecret },
      },
    },
    async ({ scope, params: { webhook_id: id } }) => endpointSecrets.getSecret(scope, secrets, id),
  )
  app.post(
    `${ONE}/secret/rotate`,
    {
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Rotate the secret of a webhook',
        description:
          'Sets a new secret. For 24 hours messages carry a signature with the previous secret too.',
        params,
        body: schema.SecretRotation,
        'x-body-example': { key: null },
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { webhook_id: id } = request.params
      await endpointSecrets.rotateSecret(request.scope, secrets, id, request.body.key)
      return reply.code(204).send(null)
    },
  )
}
