import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { Id } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { Page, Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import type { EventDetail } from '../webhook-queries.ts'
import { describeEvent } from '../webhook-words.ts'
import { EventDeliveries } from './event-deliveries.tsx'
import '../webhooks.css'

/** Interval of reloading messages that are not delivered yet, in milliseconds. */
const REFRESH_MS = 3_000

function AllEvents(): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <Link to="/$team/$env/events" params={{ team: teamId, env }}>
      Events
    </Link>
  )
}

/** One event: its deliveries, and its message. */
export function EventPage(): ReactNode {
  const { key, path } = useEnvironment()
  const { event: id } = useParams({ strict: false }) as { event: string }
  const event = useQuery({
    queryKey: [...key, 'events', 'one', id],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/event/{event_id}', {
          params: { path: { ...path, event_id: id } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || isOnItsWay(data) ? REFRESH_MS : false,
  })
  if (event.data !== undefined) return <LoadedEvent event={event.data} />
  return (
    <Page title="Event" above={<AllEvents />}>
      {event.error === null ? (
        <Waiting label="Loading the event" lines={8} />
      ) : (
        <Failure error={event.error} onRetry={() => event.refetch()} />
      )}
    </Page>
  )
}

const isOnItsWay = ({ is_dispatched: isDispatched, deliveries }: EventDetail): boolean =>
  !isDispatched || deliveries.some(({ status }) => status === 'pending')

function LoadedEvent({ event }: { event: EventDetail }): ReactNode {
  const { teamId, env } = useEnvironment()
  const { tone, text } = describeEvent(event)
  const { user_id: userId, event_type: type } = event
  return (
    <Page
      title={type}
      documentTitle="Event"
      above={<AllEvents />}
      description={
        <>
          <StatusBadge tone={tone}>{text}</StatusBadge> · <Instant at={event.created_at} /> ·{' '}
          <Id value={event.id} of="the event" />
        </>
      }
      actions={
        <>
          <Link
            to="/$team/$env/event-types"
            params={{ team: teamId, env }}
            search={{ type } as never}
          >
            See event type
          </Link>
          {userId !== null && (
            <Link to="/$team/$env/people/$user" params={{ team: teamId, env, user: userId }}>
              The person
            </Link>
          )}
        </>
      }
    >
      <EventDeliveries event={event} />
      <Section
        title="Message"
        description="The message that endpoints receive, apart from whitespace: the same on every attempt."
      >
        <JsonView value={event.payload} label="The message" />
      </Section>
    </Page>
  )
}
