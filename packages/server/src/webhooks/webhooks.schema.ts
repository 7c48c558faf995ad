import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENT_PARAMS } from '@salus/kernel/http/environment-path'
import Type from 'typebox'

export const InEnvironment = Type.Object(ENVIRONMENT_PARAMS)
export const OfWebhook = Type.Object({ ...ENVIRONMENT_PARAMS, webhook_id: Uuid })

const FilterTypes = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 500,
    description: 'Event types, exact or with a trailing *; null or an empty list means all types.',
  }),
)
const RateLimit = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'Maximum number of messages per second.',
  }),
)
const Url = Type.String({ description: 'URL of the endpoint: https and a public address.' })
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
    secret: Type.Optional(
      Nullable(Type.String({ description: 'Secret: `whsec_` followed by base64.' })),
    ),
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

const Milliseconds = Nullable(Type.Integer({ description: 'Time in milliseconds.' }))

export const WebhookStatusQuery = Type.Object({
  hours: Type.Integer({
    default: 24,
    minimum: 1,
    maximum: 720,
    description: 'Number of past hours whose attempts are counted.',
  }),
})

const HISTOGRAM_INTERVALS = ['1h', '1d'] as const
export type HistogramInterval = (typeof HISTOGRAM_INTERVALS)[number]

export const HistogramQuery = Type.Object({
  interval: TextEnum(HISTOGRAM_INTERVALS, {
    default: '1h',
    description: '`1h` for the last 24 hours, `1d` for the last 30 days of UTC.',
  }),
})

export const AttemptHistogram = Type.Object(
  {
    interval: TextEnum(HISTOGRAM_INTERVALS),
    data: Type.Array(
      Type.Object(
        {
          from: Type.String({ format: 'date-time', description: 'Beginning of the interval.' }),
          succeeded: Type.Integer({ description: 'Number of attempts with this outcome.' }),
          failed: Type.Integer({ description: 'Number of attempts with this outcome.' }),
        },
        { title: 'AttemptInterval' },
      ),
    ),
  },
  { title: 'AttemptHistogram' },
)
export type AttemptHistogram = Type.Static<typeof AttemptHistogram>

export const WebhookStatus = Type.Object(
  {
    webhook_id: Uuid,
    pending: Type.Integer({ description: 'Number of messages that were not attempted yet.' }),
    oldest_pending_at: Nullable(DateTime),
    retrying: Type.Integer({ description: 'Number of messages that failed and will be retried.' }),
    next_retry_at: Nullable(DateTime),
    succeeded: Type.Integer({ description: 'Number of attempts with this outcome.' }),
    failed: Type.Integer({ description: 'Number of attempts with this outcome.' }),
    last_attempt_at: Nullable(DateTime),
    failures: Type.Integer({ description: 'Number of failures since the last success.' }),
    last_failure_at: Nullable(DateTime),
    failing_since: Nullable(DateTime),
    disabled_at: Nullable(DateTime),
    will_be_disabled_at: Nullable(
      Type.String({
        format: 'date-time',
        description:
          'Time at which the webhook will be disabled unless an attempt succeeds before.',
      }),
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
      'Status of each webhook. Durations and lags are those of the newest 500 attempts of each; the lag is the time from the event to its first attempt.',
  },
)
export type WebhookStatusList = Type.Static<typeof WebhookStatusList>

export const WebhookHeaders = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String()),
    sensitive: Type.Array(Type.String(), { description: 'Names of all headers.' }),
  },
  { title: 'WebhookHeaders' },
)
export type WebhookHeaders = Type.Static<typeof WebhookHeaders>

export const WebhookHeadersUpdate = Type.Object({
  headers: Type.Record(Type.String(), Type.String()),
})
export const WebhookSecret = Type.Object({ key: Type.String() }, { title: 'WebhookSecret' })
export const SecretRotation = Type.Object({ key: Type.Optional(Nullable(Type.String())) })
