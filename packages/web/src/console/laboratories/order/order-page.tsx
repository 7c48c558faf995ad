import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { Failure } from '../../components/failure.tsx'
import { Id } from '../../components/id.tsx'
import { ShownZone } from '../../components/instant.tsx'
import { OrderTrack } from '../../components/order-track.tsx'
import { describeMethod, describeOrderStatus } from '../../components/order-words.ts'
import { Page, Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { personQuery, zoneOf } from '../../people/person/person-queries.ts'
import '../laboratories.css'
import { AppointmentSection } from './appointment/appointment-section.tsx'
import './order-page.css'
import { OrderCommands } from './order-commands.tsx'
import { OrderDocuments } from './order-documents.tsx'
import { OrderEvents } from './order-events.tsx'
import { OrderFacts } from './order-facts.tsx'
import { type Order, orderQuery, transitionsQuery } from './order-queries.ts'
import { OrderResults } from './order-results.tsx'
import { SimulateOrder } from './simulate-order.tsx'

/** One order: its progress, its commands, and everything that belongs to it. */
export function OrderPage(): ReactNode {
  const environment = useEnvironment()
  const { order: orderId } = useParams({ strict: false }) as { order: string }
  const { data: order, error, refetch } = useQuery(orderQuery(environment, orderId))
  const { teamId, env } = environment
  const back = (
    <Link to="/$team/$env/orders" params={{ team: teamId, env }}>
      Orders
    </Link>
  )
  if (order === undefined) {
    return (
      <Page title="Order" above={back}>
        {error ? (
          <Failure error={error} onRetry={refetch} />
        ) : (
          <Waiting label="Loading the order" lines={8} />
        )}
      </Page>
    )
  }
  return <LoadedOrder order={order} back={back} />
}

function LoadedOrder({ order, back }: { order: Order; back: ReactNode }): ReactNode {
  const environment = useEnvironment()
  const { teamId, env } = environment
  const { data: person } = useQuery(personQuery(environment, order.user_id))
  const zone = zoneOf(person)
  const { lab_test: test, patient_details: patient, details } = order
  const name = [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')
  return (
    <Page
      title={test.name}
      documentTitle="Order"
      above={back}
      description={
        <>
          For{' '}
          <Link to="/$team/$env/people/$user" params={{ team: teamId, env, user: order.user_id }}>
            {name || 'whoever registers the kit'}
          </Link>
          , {describeMethod(details.type).toLowerCase()}.{' '}
          <Id value={order.id} of="the order" isShort />
        </>
      }
      actions={
        <Allowed to="orders:write">
          <OrderCommands order={order} />
        </Allowed>
      }
    >
      <ShownZone value={zone}>
        <Section
          title="Progress"
          description={`Times on this page are those of ${zone}${person?.fallback_time_zone ? ', where the person is' : ', because the zone of the person is not known'}.`}
        >
          <OrderTrack order={order} />
          <WhatMayCome order={order} />
        </Section>
        {env === 'sandbox' && <SimulateOrder order={order} />}
        <AppointmentSection order={order} />
        <OrderResults order={order} />
        <OrderDocuments order={order} />
        <OrderFacts order={order} />
        <OrderEvents order={order} />
      </ShownZone>
    </Page>
  )
}

const BY: Readonly<Record<string, string>> = {
  update: 'Laboratory, courier or provider',
  result: 'A result',
  command: 'Your command',
}

/** Lists the statuses that may follow, with their causes. */
function WhatMayCome({ order }: { order: Order }): ReactNode {
  const { data } = useQuery(transitionsQuery(useEnvironment(), order))
  if (data === undefined || data.transitions.length === 0) return null
  return (
    <details className="what-may-come">
      <summary>Possible next statuses ({data.transitions.length})</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">When</th>
            <th scope="col">Cause</th>
          </tr>
        </thead>
        <tbody>
          {data.transitions.map(({ to, causes }) => (
            <tr key={to}>
              <th scope="row">{describeOrderStatus(to).label}</th>
              <td>{causes.map(({ meaning }) => meaning).join('; ')}</td>
              <td>{[...new Set(causes.map(({ by }) => BY[by]))].join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
