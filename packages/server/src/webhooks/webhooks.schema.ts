import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import Type from 'typebox'

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

const Milliseconds = Nullable(Type.Integer({ description: 'Milliseconds.' }))

export const WebhookStatusQuery = Type.Object({
  hours: Type.Integer({
    default: 24,
    minimum: 1,
    maximum: 720,
    description: 'Attempts of so many hours count.',
  }),
})

export const WebhookStatus = Type.Object(
  {
    webhook_id: Uuid,
    pending: Type.Integer({ description: 'Messages that were never attempted yet.' }),
    oldest_pending_at: Nullable(DateTime),
    retrying: Type.Integer({ description: 'Messages that failed and will be tried again.' }),
    next_retry_at: Nullable(DateTime),
    succeeded: Type.Integer({ description: 'Attempts.' }),
    failed: Type.Integer({ description: 'Attempts.' }),
    last_attempt_at: Nullable(DateTime),
    failures: Type.Integer({ description: 'Since the last success.' }),
    last_failure_at: Nullable(DateTime),
    failing_since: Nullable(DateTime),
    disabled_at: Nullable(DateTime),
    will_be_disabled_at: Nullable(
      Type.String({ format: 'date-time', description: 'Unless something succeeds before.' }),
    ),
    duration_p50_ms: Milliseconds,
    duration_p95_ms: Milliseconds,
    lag_p50_ms: Milliseconds,
    lag_p95_ms: Milliseconds,
  },
  { title: 'WebhookStatus' },
)
export type WebhookStatus = Type.Static<typeof WebhookStatus>

export const WebhookStatusList = Type.Object(
  { since: DateTime, data: Type.Array(WebhookStatus) },
  {
    title: 'WebhookStatusList',
    description:
      'Times are of the newest 500 attempts at each; lag is from the event to its first attempt.',
  },
)
export type WebhookStatusList = Type.Static<typeof WebhookStatusList>

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
