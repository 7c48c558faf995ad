import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { humanizeName } from '../words.ts'
import { type Order, stateOf } from './order-queries.ts'

/** The page of events has the others. */
const MOST_SHOWN = 8

const eventsQuery = ({ key, path }: Environment, order: Order) =>
  queryOptions({
    queryKey: [...key, 'order', order.id, 'events', ...stateOf(order)],
    queryFn: async ({ signal }) => {
      const about = { order_id: order.id, user_id: order.user_id }
      const query = { ...about, since: order.created_at, limit: 100 }
      const params = { path, query }
      const address = '/v1/org/{org_id}/team/{team_id}/{env}/event'
      const { data } = await unwrapResponse(management.GET(address, { params, signal }))
      return data
    },
  })

/** Lists the events of the order with their deliveries to the webhooks of the team. */
export function OrderEvents({ order }: { order: Order }): ReactNode {
  const environment = useEnvironment()
  const { teamId, env } = environment
  const { data: events, error, refetch } = useQuery(eventsQuery(environment, order))
  return (
    <Section
      title="Events"
      description="The events of this order, its appointments and results, newest first."
    >
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : events === undefined ? (
        <Waiting label="Loading the events" />
      ) : events.length === 0 ? (
        <EmptyState title="No events.">Older events have been deleted.</EmptyState>
      ) : (
        <ul className="order-events">
          {events.slice(0, MOST_SHOWN).map((event) => (
            <li key={event.id}>
              <Link to="/$team/$env/events/$event" params={{ team: teamId, env, event: event.id }}>
                <code>{event.event_type}</code>
              </Link>
              <Instant at={event.created_at} />
              <span className="quiet">{describeDelivery(event)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function describeDelivery({
  deliveries,
  is_dispatched: isDispatched,
  unsent_reason: reason,
}: {
  deliveries: { status: string }[]
  is_dispatched: boolean
  unsent_reason: string | null
}): string {
  if (!isDispatched) return 'Not sent yet'
  if (deliveries.length === 0) return reason ? `Not sent: ${humanizeName(reason)}` : 'No webhook'
  const done = deliveries.filter(({ status }) => status === 'delivered').length
  if (done === deliveries.length) return 'Delivered'
  return `Delivered to ${done} of ${deliveries.length}`
}
