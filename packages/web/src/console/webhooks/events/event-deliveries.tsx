import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { formatMilliseconds } from '../../components/duration.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconSend } from '../../components/icons.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import {
  type Attempt,
  type Delivery,
  type EventDetail,
  useWebhooksById,
} from '../webhook-queries.ts'
import { describeAttempt, describeDelivery, NOT_SENT } from '../webhook-words.ts'

/**
 * Shows the delivery of an event to every endpoint, attempt by attempt, and why others did not
 * receive it.
 */
export function EventDeliveries({ event }: { event: EventDetail }): ReactNode {
  const { key, path } = useEnvironment()
  const counts = event.deliveries.map(({ attempts }) => attempts)
  const attempts = useQuery({
    // Loads the list again when there are more attempts.
    queryKey: [...key, 'event attempts', event.id, counts],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/event/{event_id}/attempt', {
          params: { path: { ...path, event_id: event.id } },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  })
  return (
    <Section title="Deliveries" description={event.unsent_explanation ?? undefined}>
      {attempts.error !== null && (
        <Failure error={attempts.error} onRetry={() => attempts.refetch()} />
      )}
      {event.deliveries.map((delivery) => (
        <DeliveryCard
          key={delivery.webhook_id}
          event={event}
          delivery={delivery}
          attempts={attempts.data?.data.filter(({ webhook_id: id }) => id === delivery.webhook_id)}
        />
      ))}
      {!event.is_dispatched && (
        <p className="quiet webhooks-plain">
          The event has not been dispatched to the endpoints yet.
        </p>
      )}
      {event.not_sent_to.map(({ webhook_id: id, reason }) => (
        <article key={id} className="webhooks-delivery">
          <header>
            <EndpointName id={id} />
            <StatusBadge tone="neutral">Not sent</StatusBadge>
            <ResendButton eventId={event.id} webhookId={id} label="Send now" />
          </header>
          <p className="quiet">{NOT_SENT[reason]}</p>
        </article>
      ))}
      {event.is_dispatched && event.deliveries.length + event.not_sent_to.length === 0 && (
        <NoEndpoint />
      )}
    </Section>
  )
}

function NoEndpoint(): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <EmptyState title="No endpoints yet.">
      Add one under{' '}
      <Link to="/$team/$env/webhooks" params={{ team: teamId, env }}>
        Webhooks
      </Link>
      , then send this event to it.
    </EmptyState>
  )
}

function EndpointName({ id }: { id: string }): ReactNode {
  const { teamId, env } = useEnvironment()
  const webhook = useWebhooksById()?.get(id)
  if (webhook === undefined) return <span className="quiet">a removed endpoint</span>
  return (
    <Link to="/$team/$env/webhooks/$webhook" params={{ team: teamId, env, webhook: id }}>
      {webhook.url}
    </Link>
  )
}

interface DeliveryCardProps {
  event: EventDetail
  delivery: Delivery
  attempts: readonly Attempt[] | undefined
}

function DeliveryCard({ event, delivery, attempts }: DeliveryCardProps): ReactNode {
  const { tone, text } = describeDelivery(delivery)
  const { webhook_id: webhookId, next_attempt_at: next, status } = delivery
  return (
    <article className="webhooks-delivery">
      <header>
        <EndpointName id={webhookId} />
        <StatusBadge tone={tone}>{text}</StatusBadge>
        <ResendButton eventId={event.id} webhookId={webhookId} label="Send again" />
      </header>
      {status === 'cancelled' && (
        <p className="quiet">
          The endpoint was disabled before it received the message. Enable it, then send the message
          again.
        </p>
      )}
      {attempts === undefined ? (
        <Waiting label="Loading the attempts" lines={1} />
      ) : (
        <ol className="webhooks-attempts">
          {attempts.map((attempt) => (
            <AttemptItem key={attempt.number} attempt={attempt} />
          ))}
          {status === 'pending' && (
            <li className="quiet">
              {next === null ? (
                'The next attempt is due now'
              ) : (
                <>
                  Next attempt: <Instant at={next} />
                </>
              )}
            </li>
          )}
        </ol>
      )}
    </article>
  )
}

function AttemptItem({ attempt }: { attempt: Attempt }): ReactNode {
  const { tone, text } = describeAttempt(attempt)
  return (
    <li>
      <div className="webhooks-attempt">
        <span className="quiet webhooks-attempt-number">{attempt.number}</span>
        <StatusBadge tone={tone}>{text}</StatusBadge>
        <span className="quiet">
          <Instant at={attempt.timestamp} /> · took {formatMilliseconds(attempt.duration_ms)}
        </span>
      </div>
      {attempt.response_body !== '' && (
        <details>
          <summary className="webhooks-answer-summary">Response body</summary>
          <pre className="webhooks-answer-text">{attempt.response_body}</pre>
        </details>
      )}
    </li>
  )
}

interface ResendButtonProps {
  eventId: string
  webhookId: string
  label: string
}

function ResendButton({ eventId, webhookId, label }: ResendButtonProps): ReactNode {
  const { key, path } = useEnvironment()
  const webhook = useWebhooksById()?.get(webhookId)
  const queries = useQueryClient()
  const resending = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST(
          '/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/event/{event_id}/resend',
          { params: { path: { ...path, webhook_id: webhookId, event_id: eventId } } },
        ),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...key, 'events'] }),
  })
  if (webhook === undefined) return null
  return (
    <>
      <Button
        variant="outline"
        size="compact-sm"
        leftSection={<IconSend size={15} aria-hidden />}
        loading={resending.isPending}
        disabled={webhook.disabled}
        title={webhook.disabled ? 'The endpoint is disabled' : undefined}
        onClick={() => resending.mutate()}
      >
        {label}
      </Button>
      {resending.error !== null && <Failure error={resending.error} />}
    </>
  )
}
