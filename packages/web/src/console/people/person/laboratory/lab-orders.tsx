import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useContext } from 'react'
import { type Environment, useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant, ShownZone } from '../../../components/instant.tsx'
import { INTERPRETATIONS } from '../../../components/interpretations.ts'
import { OrderTrack } from '../../../components/order-track.tsx'
import { describeMethod, describeOrderStatus } from '../../../components/order-words.ts'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { Appointments } from './appointments.tsx'
import { Insurance } from './insurance.tsx'
import { type Order, ordersQuery } from './lab-queries.ts'
import './lab-orders.css'

/** Lists the orders of a person with their progress, appointments and insurance. */
export function LabOrders({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const zone = useContext(ShownZone)
  return (
    <>
      <Section
        id="orders"
        title="Orders"
        description={`Times are those of ${zone}; those of an appointment are local to its place.`}
      >
        <OrderList userId={userId} environment={environment} />
      </Section>
      <Appointments userId={userId} />
      <Insurance userId={userId} />
    </>
  )
}

const paramsOf = ({ teamId, env }: Environment) => ({ team: teamId, env })

function OrderList({
  userId,
  environment,
}: {
  userId: string
  environment: Environment
}): ReactNode {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    ordersQuery(environment, userId),
  )
  if (error !== null) return <Failure error={error} onRetry={refetch} />
  if (data === undefined) return <Waiting label="Loading orders" lines={5} />
  const orders = data.pages.flatMap((page) => page.orders)
  if (orders.length === 0) {
    return (
      <EmptyState title="No orders yet.">
        Order a test for this person, or import an order that was placed elsewhere.
      </EmptyState>
    )
  }
  return (
    <>
      <ul className="person-orders">
        {orders.map((order) => (
          <OrderCard key={order.id} order={order} params={paramsOf(environment)} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Load older orders
        </Button>
      )}
    </>
  )
}

const ORIGINS: Readonly<Record<string, string>> = {
  redraw: 'Repeats an order because its sample could not be tested',
  recreation: 'Replaces another order',
}

function OrderCard({
  order,
  params,
}: {
  order: Order
  params: { team: string; env: string }
}): ReactNode {
  const { label, tone } = describeOrderStatus(order.last_event.status)
  const origin = ORIGINS[order.origin ?? '']
  return (
    <li className="person-order">
      <header className="person-order-head">
        <h3>
          <Link to="/$team/$env/orders/$order" params={{ ...params, order: order.id }}>
            {order.lab_test.name}
          </Link>
        </h3>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </header>
      <p className="quiet">
        {order.lab_test.lab ? `${order.lab_test.lab.name} · ` : ''}
        {describeMethod(order.details.type)} · ordered <Instant at={order.created_at} isRelative />
        {order.sample_id ? ` · number ${order.sample_id}` : ''}
      </p>
      {origin !== undefined && <p className="quiet">{origin}.</p>}
      <OrderTrack order={order} isShort />
      <ResultLine order={order} />
    </li>
  )
}

/** Summarizes the result of an order, once there is one. */
function ResultLine({ order }: { order: Order }): ReactNode {
  const { interpretation, has_missing_results: isIncomplete, expected_result_by_date: by } = order
  if (interpretation === null || interpretation === undefined) {
    return by ? <p className="quiet">Results are expected by {by}.</p> : null
  }
  const { summary, tone } = INTERPRETATIONS[interpretation]
  return (
    <p>
      <StatusBadge tone={tone}>{summary}</StatusBadge>
      {isIncomplete && <span className="quiet"> Some results are missing.</span>}
    </p>
  )
}
