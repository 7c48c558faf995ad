import type { Tone } from '../components/status-badge.tsx'
import type {
  Attempt,
  Delivery,
  EventDetail,
  EventSummary,
  Webhook,
  WebhookStatus,
} from './webhook-queries.ts'

interface Words {
  tone: Tone
  text: string
}

const DISABLED = {
  manual: 'Disabled',
  gone: 'Disabled: it answered “gone”',
  failing: 'Disabled: it failed for five days',
} as const

/** Describes the state of an endpoint in a few words. */
export function describeWebhook(webhook: Webhook, status: WebhookStatus | undefined): Words {
  if (webhook.disabled) {
    const { disabled_reason: reason } = webhook
    const tone = reason === 'manual' ? 'neutral' : 'bad'
    return { tone, text: reason ? DISABLED[reason] : DISABLED.manual }
  }
  if (status === undefined) return { tone: 'neutral', text: 'Enabled' }
  if (status.failing_since !== null) return { tone: 'bad', text: 'Failing' }
  if (status.failures > 0) {
    const text = status.failures === 1 ? 'Failed once' : `${status.failures} failures in a row`
    return { tone: 'warning', text }
  }
  if (status.last_attempt_at === null) return { tone: 'info', text: 'Enabled, no recent messages' }
  return { tone: 'good', text: 'Working' }
}

/** Every status of a delivery, in the order in which pages show them. */
export const DELIVERY_STATUSES: Readonly<Record<Delivery['status'], Words>> = {
  failed: { tone: 'bad', text: 'Failed' },
  pending: { tone: 'info', text: 'Waiting' },
  cancelled: { tone: 'neutral', text: 'Cancelled' },
  delivered: { tone: 'good', text: 'Delivered' },
}

/** Statuses by which lists of events are filtered: those of deliveries, and events without any. */
const EVENT_STATUSES = {
  unsent: 'No webhook',
  waiting: 'Not dispatched yet',
  failed: DELIVERY_STATUSES.failed.text,
  pending: 'Waiting or retrying',
  cancelled: DELIVERY_STATUSES.cancelled.text,
  delivered: DELIVERY_STATUSES.delivered.text,
} as const satisfies Record<Delivery['status'] | 'unsent' | 'waiting', string>

export const EVENT_STATUS_CHOICES = [
  { value: '', label: 'Any delivery' },
  ...Object.entries(EVENT_STATUSES).map(([value, label]) => ({ value, label })),
]

/** Describes the delivery of an event to one endpoint. */
export function describeDelivery({ status, attempts }: Delivery): Words {
  if (status === 'pending' && attempts > 0) return { tone: 'warning', text: 'Waiting for retry' }
  return DELIVERY_STATUSES[status]
}

/** Reasons why no endpoint received an event, for a cell of a list. */
const UNSENT: Readonly<Record<string, string>> = {
  no_endpoint: 'No endpoint',
  endpoints_disabled: 'Endpoints were disabled',
  not_subscribed: 'No subscription',
  event_type_prefixes: 'Excluded by team settings',
}

/** Describes the deliveries of an event to all endpoints, worst first. */
export function describeEvent(event: EventSummary): Words {
  const { deliveries, unsent_reason: reason, is_dispatched: isDispatched } = event
  if (reason !== null) return { tone: 'neutral', text: UNSENT[reason] ?? 'Not sent' }
  if (!isDispatched) return { tone: 'info', text: 'Waiting' }
  const [first] = deliveries
  if (first === undefined) return { tone: 'neutral', text: 'Not sent' }
  if (deliveries.length === 1) return describeDelivery(first)
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length
  const worst = deliveries.map(describeDelivery).sort((one, other) => rankOf(one) - rankOf(other))
  const tone = worst[0]?.tone ?? 'neutral'
  return { tone, text: `${delivered} of ${deliveries.length} delivered` }
}

const RANKS: readonly Tone[] = ['bad', 'warning', 'info', 'neutral', 'good']
const rankOf = ({ tone }: Words): number => RANKS.indexOf(tone)

type NotSentReason = EventDetail['not_sent_to'][number]['reason']

/** Reasons why an existing endpoint did not receive an event, and the remedy. */
export const NOT_SENT: Readonly<Record<NotSentReason, string>> = {
  not_subscribed:
    'It does not subscribe to this event type. Add the type in its settings, then send the event again.',
  disabled: 'It was disabled. Enable it and recover the messages, or send this event again.',
  created_later: 'It was added after the event. Send the event again if the endpoint needs it.',
  left_out:
    'The event was not for this endpoint: the team’s settings exclude the type, or it was an example for another endpoint.',
}

const ERRORS: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  timeout: 'No response within 15 seconds',
  refused_address:
    'The host name resolves to a private or reserved address, which Salus does not call',
  dns: 'The host name does not exist',
  connection: 'The connection was refused or broken',
  tls: 'The certificate is not trusted, or is for another name',
  invalid_response: 'The response was not HTTP',
}

/** Describes the response of an attempt. */
export function describeAttempt({ status, response_status_code: code, error }: Attempt): Words {
  const tone = status === 'succeeded' ? 'good' : 'bad'
  if (code === null) return { tone, text: error ? ERRORS[error] : 'No response' }
  const isRedirect = code >= 300 && code < 400
  return {
    tone,
    text: isRedirect ? `Status ${code}; redirects are not followed` : `Status ${code}`,
  }
}
