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
  manual: 'Switched off',
  gone: 'Switched off: it answered “gone”',
  failing: 'Switched off: it failed for five days',
} as const

/** How an endpoint does, in a few words. */
export function describeWebhook(webhook: Webhook, status: WebhookStatus | undefined): Words {
  if (webhook.disabled) {
    const { disabled_reason: reason } = webhook
    const tone = reason === 'manual' ? 'neutral' : 'bad'
    return { tone, text: reason ? DISABLED[reason] : DISABLED.manual }
  }
  if (status === undefined) return { tone: 'neutral', text: 'On' }
  if (status.failing_since !== null) return { tone: 'bad', text: 'Failing' }
  if (status.failures > 0) {
    const text = status.failures === 1 ? 'Failed once' : `${status.failures} failures in a row`
    return { tone: 'warning', text }
  }
  if (status.last_attempt_at === null) return { tone: 'info', text: 'On, nothing sent lately' }
  return { tone: 'good', text: 'Working' }
}

const DELIVERY: Readonly<Record<Delivery['status'], Words>> = {
  pending: { tone: 'info', text: 'Waiting' },
  delivered: { tone: 'good', text: 'Delivered' },
  failed: { tone: 'bad', text: 'Failed' },
  cancelled: { tone: 'neutral', text: 'Cancelled' },
}

/** What became of the message of one endpoint. */
export function describeDelivery({ status, attempts }: Delivery): Words {
  if (status === 'pending' && attempts > 0) return { tone: 'warning', text: 'Will be tried again' }
  return DELIVERY[status]
}

/** Why no endpoint got an event, for a cell of a list. */
const UNSENT: Readonly<Record<string, string>> = {
  no_endpoint: 'No endpoint',
  endpoints_disabled: 'Endpoints were off',
  not_subscribed: 'Nobody subscribes',
  event_type_prefixes: 'Left out by team settings',
}

/** What became of an event over all endpoints, worst first. */
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

/** Why an endpoint of today did not get an event, and what would change that. */
export const NOT_SENT: Readonly<Record<NotSentReason, string>> = {
  not_subscribed:
    'It did not subscribe to this event type. Add the type in its settings, then resend.',
  disabled: 'It was switched off. Switch it on and recover what it missed, or resend this one.',
  created_later: 'It was added after the event. Resend the event to it if it needs it.',
  left_out:
    'The event was not for it: the team’s settings leave the type out, or it was an example for another.',
}

const ERRORS: Readonly<Record<NonNullable<Attempt['error']>, string>> = {
  timeout: 'No answer within 15 seconds',
  refused_address: 'The name leads to a private or reserved address, which Salus does not call',
  dns: 'The name of the host is not known',
  connection: 'The connection was refused or broke off',
  tls: 'The certificate is not trusted or not of that name',
  invalid_response: 'What came back was not HTTP',
}

/** What came back from an attempt. */
export function describeAttempt({ status, response_status_code: code, error }: Attempt): Words {
  const tone = status === 'succeeded' ? 'good' : 'bad'
  if (code === null) return { tone, text: error ? ERRORS[error] : 'No answer' }
  const isRedirect = code >= 300 && code < 400
  return {
    tone,
    text: isRedirect ? `Answered ${code}; redirects are not followed` : `Answered ${code}`,
  }
}
