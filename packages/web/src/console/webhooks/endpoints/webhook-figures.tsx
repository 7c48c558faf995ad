import type { ReactNode } from 'react'
import { counted } from '../../components/counted.ts'
import { formatMilliseconds } from '../../components/duration.ts'
import { Figure, Figures } from '../../components/figures.tsx'
import { formatRelative, Instant } from '../../components/instant.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import type { Webhook, WebhookStatus } from '../webhook-queries.ts'
import { describeWebhook } from '../webhook-words.ts'

interface WebhookFiguresProps {
  webhook: Webhook
  status: WebhookStatus | undefined
}

/** How an endpoint does, in a row of figures, and what to do when it does badly. */
export function WebhookFigures({ webhook, status }: WebhookFiguresProps): ReactNode {
  if (status === undefined) return <Waiting label="Loading how the endpoint does" lines={2} />
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
          quiet={`${status.succeeded} of ${counted(all, 'attempt')}`}
        >
          {all === 0 ? '–' : `${Math.floor((status.succeeded / all) * 1000) / 10} %`}
        </Figure>
        <Figure
          title="Waiting"
          quiet={
            status.oldest_pending_at
              ? `oldest ${formatRelative(new Date(status.oldest_pending_at))}`
              : `${status.retrying} to be tried again`
          }
        >
          {status.pending + status.retrying}
        </Figure>
        <Figure
          title="Answers in"
          quiet={`95 of 100 in ${formatMilliseconds(status.duration_p95_ms)}`}
        >
          {formatMilliseconds(status.duration_p50_ms)}
        </Figure>
        <Figure
          title="Sent after its event"
          quiet={`95 of 100 in ${formatMilliseconds(status.lag_p95_ms)}`}
        >
          {formatMilliseconds(status.lag_p50_ms)}
        </Figure>
        <Figure title="Last attempt">
          <Instant at={status.last_attempt_at} otherwise="none today" isRelative />
        </Figure>
      </Figures>
    </>
  )
}

function Advice({ webhook, status }: { webhook: Webhook; status: WebhookStatus }): ReactNode {
  if (webhook.disabled) {
    return (
      <p className="webhooks-advice" role="status">
        Nothing is sent here. Switch the endpoint on and then recover what it missed since{' '}
        <Instant at={status.disabled_at} otherwise="it was switched off" />.
      </p>
    )
  }
  if (status.will_be_disabled_at === null) return null
  return (
    <p className="webhooks-advice" data-tone="bad" role="status">
      Every attempt fails since <Instant at={status.failing_since} />. Unless one succeeds, the
      endpoint is switched off on <Instant at={status.will_be_disabled_at} />.
    </p>
  )
}
