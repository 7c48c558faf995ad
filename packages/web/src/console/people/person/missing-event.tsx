import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { Deliveries } from './events.tsx'
import { eventTypesQuery, explanationQuery } from './lab-queries.ts'

type Explanation = components['schemas']['EventExplanation']
type Reason = components['schemas']['MissingEventReason']

/** Asks what keeps an event about the person from being raised or delivered. The type is in the address. */
export function MissingEvent({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const [{ missing }, change] = useViewState({ missing: '' })
  const [text, setText] = useState(missing)
  const [isAsked, setAsked] = useState(false)
  const listId = useId()
  const types = useQuery({ ...eventTypesQuery(environment), enabled: isAsked })
  const answer = useQuery({
    ...explanationQuery(environment, userId, missing),
    enabled: missing !== '',
  })
  const ask = (event: FormEvent) => {
    event.preventDefault()
    change({ missing: text.trim() })
    if (text.trim() === missing) answer.refetch()
  }
  return (
    <Section
      id="missing-event"
      title="Why was there no event?"
      description="Name the event that you expected about this person."
    >
      <form className="missing-event-form" onSubmit={ask}>
        <TextInput
          aria-label="Type of the event"
          placeholder="daily.data.heartrate.created"
          list={listId}
          value={text}
          onFocus={() => setAsked(true)}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <datalist id={listId}>
          {types.data?.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Button type="submit" disabled={text.trim() === ''} loading={answer.isFetching}>
          Explain
        </Button>
      </form>
      {answer.error !== null && <Failure error={answer.error} />}
      {missing !== '' && answer.isPending && <Waiting label="Looking for the reason" />}
      {answer.data !== undefined && <Answer explanation={answer.data} />}
    </Section>
  )
}

function Answer({ explanation }: { explanation: Explanation }): ReactNode {
  const { last_event: last, reasons, events_since: since } = explanation
  return (
    <div className="missing-event-answer" aria-live="polite">
      {last === null ? (
        <p>
          There is no <code>{explanation.event_type}</code> about this person
          {since !== null && (
            <>
              {' '}
              since <Instant at={since} />; older events are deleted
            </>
          )}
          .
        </p>
      ) : (
        <p className="missing-event-last">
          The last <code>{explanation.event_type}</code> about this person was raised{' '}
          <Instant at={last.created_at} isRelative />: <Deliveries event={last} />
        </p>
      )}
      {reasons.length === 0 ? (
        <p>Nothing stands in the way of such an event: it comes with the next change.</p>
      ) : (
        <>
          <h3>{last === null ? 'What stands in its way' : 'Why there was none since'}</h3>
          <ol className="missing-event-reasons">
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
  const { teamId: team, env } = useEnvironment()
  const { explanation, provider, webhook_id: webhook, order_id: order, at, code } = reason
  return (
    <>
      {explanation}{' '}
      <span className="quiet">
        {[
          provider && <span key="provider">{provider}</span>,
          webhook && (
            <Link key="webhook" to="/$team/$env/webhooks/$webhook" params={{ team, env, webhook }}>
              webhook {webhook.slice(0, 8)}
            </Link>
          ),
          order && (
            <Link key="order" to="/$team/$env/orders/$order" params={{ team, env, order }}>
              order {order.slice(0, 8)}
            </Link>
          ),
          at && <Instant key="at" at={at} />,
          code === 'no_webhook' && (
            <Link key="webhooks" to="/$team/$env/webhooks" params={{ team, env }}>
              make a webhook
            </Link>
          ),
        ]
          .filter(Boolean)
          .flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))}
      </span>
    </>
  )
}
