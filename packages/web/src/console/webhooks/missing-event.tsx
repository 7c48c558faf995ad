import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, take } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { IdField } from '../components/id-field.tsx'
import { Instant } from '../components/instant.tsx'
import { Section } from '../components/page.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useViewState } from '../shell/view-state.ts'
import { EventTypeSelect } from './event-filters.tsx'
import { describeEvent } from './webhook-words.ts'

type Explanation = components['schemas']['EventExplanation']
type Reason = components['schemas']['MissingEventReason']

/** Asks the server what stands in the way of an event about a person, or of its delivery. */
export function MissingEvent(): ReactNode {
  const environment = useEnvironment()
  const [{ user, type }, change] = useViewState({ user: '', type: '' })
  const isAsked = user !== '' && type !== '' && !type.endsWith('*')
  const explanation = useQuery({ ...explanationQuery(environment, user, type), enabled: isAsked })
  return (
    <Section
      title="Why was there no event?"
      description="Name the person and the event that you expected. Salus looks at the endpoints, the connections, the data that came and the orders, and says what stands in the way."
    >
      <div className="webhooks-question">
        <IdField label="Id of a person" value={user} onChange={(next) => change({ user: next })} />
        <EventTypeSelect
          value={type}
          any="Choose one"
          onChange={(next) => change({ type: next })}
        />
      </div>
      {explanation.isFetching && <Waiting label="Looking for the reason" />}
      {explanation.error !== null && (
        <Failure error={explanation.error} onRetry={() => explanation.refetch()} />
      )}
      {explanation.data !== undefined && <Answer explanation={explanation.data} />}
      {!isAsked && (
        <EmptyState title="Which event did you expect?">
          The id of a person is on their page, and in the answer that made them.
        </EmptyState>
      )}
    </Section>
  )
}

function explanationQuery({ key, path }: Environment, user: string, type: string) {
  return {
    queryKey: [...key, 'event explanation', user, type],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      take(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/event_explanation', {
          params: { path, query: { user_id: user, event_type: type } },
          signal,
        }),
      ),
  }
}

function Answer({ explanation }: { explanation: Explanation }): ReactNode {
  const { reasons, events_since: since } = explanation
  return (
    <>
      <LastEvent explanation={explanation} />
      {reasons.length === 0 ? (
        <p className="webhooks-plain">
          Nothing stands in the way of such an event: it is sent when something changes.
        </p>
      ) : (
        <ol className="webhooks-reasons">
          {reasons.map((reason) => (
            <li key={JSON.stringify(reason)}>
              <p>{reason.explanation}</p>
              <ReasonLink reason={reason} userId={explanation.user_id} />
            </li>
          ))}
        </ol>
      )}
      {since !== null && (
        <p className="quiet webhooks-plain">
          Events are known since <Instant at={since} />.
        </p>
      )}
    </>
  )
}

function LastEvent({ explanation: { last_event: last } }: { explanation: Explanation }): ReactNode {
  const { teamId, env } = useEnvironment()
  if (last === null) {
    return <p className="webhooks-plain">There never was such an event about this person.</p>
  }
  return (
    <p className="webhooks-plain">
      There was one, on <Instant at={last.created_at} /> ({describeEvent(last).text.toLowerCase()}).{' '}
      <Link to="/$team/$env/events/$event" params={{ team: teamId, env, event: last.id }}>
        Look at it
      </Link>
    </p>
  )
}

/** Where the reason can be looked at, or done something about. */
function ReasonLink({ reason, userId }: { reason: Reason; userId: string }): ReactNode {
  const { teamId, env } = useEnvironment()
  const environment = { team: teamId, env }
  if (reason.webhook_id !== null) {
    return (
      <Link
        to="/$team/$env/webhooks/$webhook"
        params={{ ...environment, webhook: reason.webhook_id }}
        search={{ tab: 'settings' } as never}
      >
        The endpoint
      </Link>
    )
  }
  if (reason.order_id !== null) {
    return (
      <Link to="/$team/$env/orders/$order" params={{ ...environment, order: reason.order_id }}>
        The order
      </Link>
    )
  }
  if (reason.code === 'no_webhook') {
    return (
      <Link to="/$team/$env/webhooks" params={environment}>
        Webhooks
      </Link>
    )
  }
  return (
    <Link to="/$team/$env/people/$user" params={{ ...environment, user: userId }}>
      {reason.provider === null ? 'The person' : `The connection to ${reason.provider}`}
    </Link>
  )
}
