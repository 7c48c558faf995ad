import type { EventType } from '@salus/contracts/event-type'
import { EVENT_CATALOG } from '../webhooks/event-catalog/index.ts'
import { describeFields } from './describe-fields.ts'
import { isObject, type Json, type JsonObject } from './document-parts.ts'

const text = (description: string, more: JsonObject = {}): JsonObject => ({
  type: 'string',
  description,
  ...more,
})
const ID = { format: 'uuid' }

/** Returns the bodies of the messages to webhook endpoints, by the name of the event. */
export const listWebhookMessages = (): JsonObject =>
  Object.fromEntries(EVENT_CATALOG.map((type) => [type.name, messageOf(type)]))

/**
 * Returns the section `webhooks` of the document, from the result of listWebhookMessages, whose
 * schemas were moved to the components meanwhile.
 */
export function describeWebhooks(messages: JsonObject): JsonObject {
  return Object.fromEntries(
    EVENT_CATALOG.map(({ name, meaning }) => {
      const operation = {
        operationId: `on.${name}`,
        tags: ['Webhooks'],
        summary: meaning,
        security: [],
        parameters: Object.keys(WEBHOOK_HEADERS).map((key) => ({
          $ref: `#/components/parameters/${key}`,
        })),
        requestBody: { required: true, content: messages[name] as Json },
        responses: {
          '2XX': {
            description:
              'The endpoint received the message. With any other answer the attempt has failed.',
          },
        },
      }
      return [name, { post: operation as Json }]
    }),
  )
}

const header = (name: string, description: string): JsonObject => ({
  ...{ name, description },
  in: 'header',
  required: true,
  schema: { type: 'string' },
})

/** Headers of each message (docs/contract/08-webhooks-and-events.md). */
export const WEBHOOK_HEADERS: JsonObject = {
  WebhookId: header('webhook-id', 'Id of the message, which is the same for each attempt.'),
  WebhookTimestamp: header('webhook-timestamp', 'Time of the attempt, in seconds since 1970.'),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures of the message with the secrets of the endpoint, in the form of Standard Webhooks.',
  ),
}

function messageOf({ name, data, isAboutUser, example }: EventType): JsonObject {
  const schema = asCollected(JSON.parse(JSON.stringify(data)) as Json) as JsonObject
  describeFields(schema)
  const person: JsonObject = {
    user_id: text('Id of the user whom the event is about.', ID),
    client_user_id: text('Id that your team gave the user.'),
  }
  const properties: JsonObject = {
    event_type: { type: 'string', enum: [name] },
    data: schema,
    ...(isAboutUser && person),
    team_id: text('Id of the team to which the event belongs.', ID),
  }
  const ids = {
    user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
    client_user_id: 'your own id of the person',
  }
  return {
    'application/json': {
      schema: { type: 'object', required: Object.keys(properties), properties },
      example: {
        event_type: name,
        data: example as Json,
        ...(isAboutUser && ids),
        team_id: '0b9a3c1e-1111-4a6d-9c55-2f0d8a7e4b01',
      },
    },
  }
}

/**
 * Converts a schema as the framework does for routes, so that equal ones are one in the components.
 */
function asCollected(value: Json): Json {
  if (Array.isArray(value)) return value.map(asCollected)
  if (!isObject(value)) return value
  const { const: only, patternProperties, ...rest } = value
  const part: JsonObject = Object.fromEntries(
    Object.entries(rest).map(([key, inner]) => [key, asCollected(inner as Json)]),
  )
  if (only !== undefined) part.enum = [only]
  if (isObject(patternProperties)) {
    part.additionalProperties = asCollected(Object.values(patternProperties)[0] ?? {})
  }
  return part
}
