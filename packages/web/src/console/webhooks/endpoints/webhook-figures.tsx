import type { ReactNode } from 'react'
import { formatMilliseconds } from '../../components/duration.ts'
import { Figure, Figures } from '../../components/figures.tsx'
import { formatQuantity } from '../../components/format-quantity.ts'
import { formatRelative, Instant } from '../../components/instant.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import type { Webhook, WebhookStatus } from '../webhook-queries.ts'
import { describeWebhook } from '../webhook-words.ts'

interface WebhookFiguresProps {
  webhook: Webhook
  status: WebhookStatus | undefined
}

/** Shows the figures of an endpoint, and what to do when it fails. */
export function WebhookFigures({ webhook, status }: WebhookFiguresProps): ReactNode {
  if (status === undefined) return <Waiting label="Loading the figures" lines={2} />
  const { tone, text } = describeWebhook(webhook, status)
  const all = status.succeeded + status.failed
  return (
    <>
      <Advice webhook={webhook} status={status} />
      <Figures>
        <Figure title="State">
          <StatusBadge tone={tone}>{text}</StatusBadge>
        </Figure>
        <Figure
          title="Succeeded, last 24 hours"
          quiet={`${status.succeeded} of ${formatQuantity(all, 'attempt')}`}
        >
          {all === 0 ? '–' : `${Math.floor((status.succeeded / all) * 1000) / 10} %`}
        </Figure>
        <Figure
          title="Waiting"
          quiet={
            status.oldest_pending_at
              ? `oldest ${formatRelative(new Date(status.oldest_pending_at))}`
              : `${status.retrying} to be retried`
          }
        >
          {status.pending + status.retrying}
        </Figure>
        <Figure
          title="Response time"
          quiet={`95 of 100 in ${formatMilliseconds(status.duration_p95_ms)}`}
        >
          {formatMilliseconds(status.duration_p50_ms)}
        </Figure>
        <Figure
          title="Lag after the event"
          quiet={`95 of 100 in ${formatMilliseconds(status.lag_p95_ms)}`}
        >
          {formatMilliseconds(status.lag_p50_ms)}
        </Figure>
        <Figure title="Last attempt">
          <Instant at={status.last_attempt_at} otherwise="none yet" isRelative />
        </Figure>
      </Figures>
    </>
  )
}

function Advice({ webhook, status }: { webhook: Webhook; status: WebhookStatus }): ReactNode {
  if (webhook.disabled) {
    return (
      <p className="webhooks-advice" role="status">
        The endpoint is disabled, and no messages are sent. Enable it, then recover the messages
        since <Instant at={status.disabled_at} otherwise="it was disabled" />.
      </p>
    )
  }
  if (status.will_be_disabled_at === null) return null
  return (
    <p className="webhooks-advice" data-tone="bad" role="status">
      Every attempt has failed since <Instant at={status.failing_since} />. Without a success the
      endpoint is disabled on <Instant at={status.will_be_disabled_at} />.
    </p>
  )
}
