import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { providersQuery } from '../people/person/person-queries.ts'
import { Failure } from './failure.tsx'
import { Instant } from './instant.tsx'
import { Waiting } from './waiting.tsx'
import './event-explanation.css'
import { endOfId } from './id.tsx'

type Explanation = components['schemas']['EventExplanation']
type Reason = components['schemas']['MissingEventReason']

/** Explains why there was no event of a type about a person, or why no webhook received it. */
export function EventExplanation({
  userId,
  eventType,
}: {
  userId: string
  eventType: string
}): ReactNode {
  const { key, path } = useEnvironment()
  const { data, error, refetch } = useQuery({
    queryKey: [...key, 'person', userId, 'explanation', eventType],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/event_explanation', {
          params: { path, query: { user_id: userId, event_type: eventType } },
          signal,
        }),
      ),
    // The explanation is of the current state.
    staleTime: 0,
  })
  if (error !== null) return <Failure error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Waiting label="Looking for the reason" />
  return <Answer explanation={data} />
}

function Answer({ explanation }: { explanation: Explanation }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { last_event: last, reasons, events_since: since } = explanation
  return (
    <div className="event-explanation" aria-live="polite">
      {last === null ? (
        <p>
          There was no <code>{explanation.event_type}</code> about this person
          {since !== null && (
            <>
              {' '}
              since <Instant at={since} />; older events are deleted
            </>
          )}
          .
        </p>
      ) : (
        <p>
          The last <code>{explanation.event_type}</code> about this person was raised{' '}
          <Instant at={last.created_at} isRelative />.{' '}
          <Link to="/$team/$env/events/$event" params={{ team, env, event: last.id }}>
            Look at it and its deliveries
          </Link>
        </p>
      )}
      {reasons.length === 0 ? (
        <p>Nothing prevents such an event: it is sent with the next change.</p>
      ) : (
        <>
          <h3>{last === null ? 'What prevents it' : 'Why there has been none since'}</h3>
          <ol className="event-explanation-reasons">
            {reasons.map((reason, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one answer, in its order
              <li key={index}>
                <ReasonText reason={reason} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

function ReasonText({ reason }: { reason: Reason }): ReactNode {
  const environment = useEnvironment()
  const { teamId: team, env } = environment
  const { data: providers } = useQuery(providersQuery(environment))
  const { explanation, provider, webhook_id: webhook, order_id: order, at, code } = reason
  return (
    <>
      {explanation}{' '}
      <span className="quiet">
        {[
          provider && <span key="provider">{providers?.get(provider)?.name ?? provider}</span>,
          webhook && (
            <Link key="webhook" to="/$team/$env/webhooks/$webhook" params={{ team, env, webhook }}>
              webhook {endOfId(webhook)}
            </Link>
          ),
          order && (
            <Link key="order" to="/$team/$env/orders/$order" params={{ team, env, order }}>
              order {endOfId(order)}
            </Link>
          ),
          at && <Instant key="at" at={at} />,
          code === 'no_webhook' && (
            <Link key="webhooks" to="/$team/$env/webhooks" params={{ team, env }}>
              create a webhook
            </Link>
          ),
        ]
          .filter(Boolean)
          .flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}
      </span>
    </>
  )
}
