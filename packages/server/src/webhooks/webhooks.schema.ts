import Type from 'typebox'
import { ENVIRONMENT_PARAMS } from '../platform/http/environment-path.ts'
import { DateTime, Nullable, TextEnum, Uuid } from '../platform/http/schema-types.ts'

export const InEnvironment = Type.Object(ENVIRONMENT_PARAMS)
export const OfWebhook = Type.Object({ ...ENVIRONMENT_PARAMS, webhook_id: Uuid })

const FilterTypes = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 500,
    description: 'Event types, exact or with a trailing *; null or empty is all.',
  }),
)
const RateLimit = Nullable(
  Type.Integer({ minimum: 1, maximum: 100_000, description: 'Messages a second.' }),
)
const Url = Type.String({ description: 'https, to a public address.' })
const Description = Type.String({ maxLength: 1000 })

/** docs/contract/08-webhooks-and-events.md#webhook-management. */
export const Webhook = Type.Object(
  {
    id: Uuid,
    description: Nullable(Type.String()),
    rate_limit: Nullable(Type.Integer()),
    url: Type.String(),
    disabled: Type.Boolean(),
    disabled_reason: Nullable(TextEnum(['manual', 'gone', 'failing'])),
    filter_types: Nullable(Type.Array(Type.String())),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'Webhook' },
)
export type Webhook = Type.Static<typeof Webhook>

export const WebhookCreate = Type.Object(
  {
    url: Url,
    description: Type.Optional(Nullable(Description)),
    rate_limit: Type.Optional(RateLimit),
    disabled: Type.Optional(Type.Boolean()),
    filter_types: Type.Optional(FilterTypes),
    secret: Type.Optional(Nullable(Type.String({ description: 'whsec_ and base64.' }))),
  },
  { title: 'WebhookCreate' },
)
export type WebhookCreate = Type.Static<typeof WebhookCreate>

export const WebhookUpdate = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Nullable(Description)),
    rate_limit: Type.Optional(RateLimit),
    disabled: Type.Optional(Type.Boolean()),
    filter_types: Type.Optional(FilterTypes),
  },
  { title: 'WebhookUpdate' },
)
export type WebhookUpdate = Type.Static<typeof WebhookUpdate>

export const PageQuery = Type.Object({
  next_cursor: Type.Optional(Type.String()),
  limit: Type.Integer({ default: 50, minimum: 1, maximum: 250 }),
})

export const WebhookList = Type.Object(
  { data: Type.Array(Webhook), next_cursor: Nullable(Type.String()) },
  { title: 'WebhookList' },
)

export const WebhookHeaders = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String()),
    sensitive: Type.Array(Type.String(), { description: 'Names of all of them.' }),
  },
  { title: 'WebhookHeaders' },
)
export type WebhookHeaders = Type.Static<typeof WebhookHeaders>

export const WebhookHeadersUpdate = Type.Object({
  headers: Type.Record(Type.String(), Type.String()),
})
export const WebhookSecret = Type.Object({ key: Type.String() }, { title: 'WebhookSecret' })
export const SecretRotation = Type.Object({ key: Type.Optional(Nullable(Type.String())) })
