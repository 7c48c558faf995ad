import { NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { describeDelivery, EVENT_STATUS_CHOICES } from '../../../webhooks/webhook-words.ts'
import { type EventSummary, eventsQuery } from '../laboratory/lab-queries.ts'
import { AccessLog } from './access-log.tsx'
import { MissingEvent } from './missing-event.tsx'
import './events.css'
import { endOfId } from '../../../components/id.tsx'

const FAMILIES = [
  { value: '', label: 'All events' },
  { value: 'daily.data.*', label: 'New and changed data' },
  { value: 'historical.data.*', label: 'History' },
  { value: 'provider.*', label: 'Connections and devices' },
  { value: 'labtest.order.*', label: 'Orders' },
  { value: 'labtest.appointment.*', label: 'Appointments' },
  { value: 'labtest.result.*', label: 'Critical results' },
  { value: 'lab_report.*', label: 'Lab reports' },
  { value: 'continuous_query.*', label: 'Continuous queries' },
]

/** Lists the events about a person with their deliveries, and explains why an event is missing. */
export function PersonEvents({ userId }: { userId: string }): ReactNode {
  const [view, change] = useViewState({ event: '', delivery: '' })
  const filter = { type: view.event, status: view.delivery }
  const query = useInfiniteQuery(eventsQuery(useEnvironment(), userId, filter))
  const events = query.data?.pages.flatMap((page) => page.data)
  const isFiltered = filter.type !== '' || filter.status !== ''
  return (
    <>
      <MissingEvent userId={userId} />
      <AccessLog userId={userId} />
      <Section
        id="events"
        title="Events"
        description="Messages to the webhooks that subscribe to them."
        actions={
          <>
            <NativeSelect
              aria-label="Kind of event"
              data={FAMILIES}
              value={view.event}
              onChange={(event) => change({ event: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label="Delivery"
              data={EVENT_STATUS_CHOICES}
              value={view.delivery}
              onChange={(event) => change({ delivery: event.currentTarget.value })}
            />
          </>
        }
      >
        {query.error !== null && <Failure error={query.error} onRetry={query.refetch} />}
        {(query.error === null || events !== undefined) && (
          <DataTable
            label="Events"
            columns={COLUMNS}
            rows={events}
            rowKey={({ id }) => id}
            empty={<NoEvents isFiltered={isFiltered} />}
            more={query}
          />
        )}
      </Section>
    </>
  )
}

function NoEvents({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState title="No events match." />
  return (
    <EmptyState title="No events about this person yet.">
      Events appear when data, orders or connections of the person change. The form above explains
      why an expected event is missing.
    </EmptyState>
  )
}

const COLUMNS: readonly Column<EventSummary>[] = [
  { key: 'type', title: 'Event', width: '2fr', render: (event) => <EventLink event={event} /> },
  {
    key: 'created_at',
    title: 'Raised',
    width: '1fr',
    render: ({ created_at: at }) => <Instant at={at} />,
  },
  {
    key: 'deliveries',
    title: 'Deliveries',
    width: '1.6fr',
    render: (event) => <Deliveries event={event} />,
  },
]

function EventLink({ event }: { event: EventSummary }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  return (
    <Link
      to="/$team/$env/events/$event"
      params={{ team, env, event: event.id }}
      className="row-link"
    >
      {event.event_type}
    </Link>
  )
}

type Delivery = EventSummary['deliveries'][number]

/** Reasons why no webhook received an event, by its `unsent_reason`. */
const UNSENT: Readonly<Record<string, string>> = {
  event_type_prefixes: 'the settings of the team exclude it',
  no_endpoint: 'there was no webhook',
  endpoints_disabled: 'every webhook was disabled',
  not_subscribed: 'no webhook subscribes to it',
}

/** Shows the state of an event at each webhook. */
export function Deliveries({ event }: { event: EventSummary }): ReactNode {
  if (!event.is_dispatched) return <StatusBadge tone="info">Not sent yet</StatusBadge>
  if (event.deliveries.length === 0) {
    const reason = UNSENT[event.unsent_reason ?? '']
    return (
      <span>
        <StatusBadge tone="neutral">No webhook</StatusBadge>
        {reason !== undefined && <span className="quiet event-reason">{reason}</span>}
      </span>
    )
  }
  return (
    <ul className="event-deliveries">
      {event.deliveries.map((delivery) => (
        <li key={delivery.webhook_id}>
          <DeliveryState delivery={delivery} />
        </li>
      ))}
    </ul>
  )
}

function DeliveryState({ delivery }: { delivery: Delivery }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { status, attempts, next_attempt_at: next, webhook_id: webhook } = delivery
  const { text, tone } = describeDelivery(delivery)
  return (
    <>
      <StatusBadge tone={tone}>{text}</StatusBadge>{' '}
      <Link to="/$team/$env/webhooks/$webhook" params={{ team, env, webhook }}>
        webhook {endOfId(webhook)}
      </Link>
      {attempts > 1 && <span className="quiet">, {attempts} attempts</span>}
      {next !== null && status === 'pending' && attempts > 0 && (
        <span className="quiet">
          , next <Instant at={next} isRelative />
        </span>
      )}
    </>
  )
}
