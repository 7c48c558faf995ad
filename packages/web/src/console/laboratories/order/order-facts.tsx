import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Id } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { describeMethod, describeOrderStatus } from '../../components/order-words.ts'
import { Section } from '../../components/page.tsx'
import { describeBilling, humanizeName } from '../words.ts'
import type { Order } from './order-queries.ts'

type Fact = [name: string, value: ReactNode]

/** Shows what was ordered, for whom and by whom; unknown facts are left out. */
export function OrderFacts({ order }: { order: Order }): ReactNode {
  return (
    <Section title="Details">
      <div className="fact-columns">
        <Facts title="Order" facts={orderFacts(order)} />
        <Facts title="Patient" facts={patientFacts(order)} />
        <Facts title="Payment and physician" facts={paymentFacts(order)} />
        <RelatedOrders order={order} />
      </div>
    </Section>
  )
}

function Facts({ title, facts }: { title: string; facts: Fact[] }): ReactNode {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  if (known.length === 0) return null
  return (
    <div>
      <h3 className="fact-title">{title}</h3>
      <dl className="facts">
        {known.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}

function orderFacts(order: Order): Fact[] {
  return [
    ['Ordered', <Instant key="created" at={order.created_at} />],
    ['Changed', <Instant key="updated" at={order.updated_at} />],
    ['Collection', describeMethod(order.details.type)],
    ['Urgent', order.priority ? 'Yes' : null],
    ['Sent to the laboratory on', order.activate_by],
    ['Number at the laboratory', order.sample_id && <code>{order.sample_id}</code>],
    ['Results expected by', order.expected_result_by_date],
    ['At the latest by', order.worst_case_result_by_date],
    ['Origin', order.origin === 'initial' || !order.origin ? null : humanizeName(order.origin)],
    ['Notes for the laboratory', order.clinical_notes],
    ['Notes', order.notes],
    ['Passthrough', order.passthrough && <code>{order.passthrough}</code>],
    ...shipmentFacts(order),
  ]
}

function shipmentFacts({ details, shipping_details: shipping }: Order): Fact[] {
  const data = details.data as { shipment?: Record<string, string | null> | null } | null
  const shipment = data?.shipment
  const tracking = (way: 'outbound' | 'inbound'): ReactNode => {
    const number = shipment?.[`${way}_tracking_number`]
    if (!number) return null
    const address = shipment?.[`${way}_tracking_url`]
    const courier = shipment?.[`${way}_courier`]?.toUpperCase()
    const text = `${courier ?? ''} ${number}`.trim()
    return address?.startsWith('https://') ? (
      <a href={address} rel="noreferrer" target="_blank">
        {text}
      </a>
    ) : (
      text
    )
  }
  return [
    [
      'Kit goes to',
      shipping &&
        `${shipping.receiver_name}, ${shipping.first_line}, ${shipping.city} ${shipping.state} ${shipping.zip}`,
    ],
    ['Parcel to the person', tracking('outbound')],
    ['Parcel to the laboratory', tracking('inbound')],
  ]
}

function patientFacts({ patient_details: patient, patient_address: address }: Order): Fact[] {
  const proxy = patient?.medical_proxy
  return [
    ['Name', [patient?.first_name, patient?.last_name].filter(Boolean).join(' ')],
    ['Born', patient?.dob],
    ['Gender', patient && humanizeName(patient.gender)],
    ['Phone', patient?.phone_number],
    ['E-mail', patient?.email],
    ['Guardian of the patient', proxy && `${proxy.first_name} ${proxy.last_name}`],
    [
      'Address',
      address &&
        [
          address.first_line,
          address.second_line,
          `${address.city}, ${address.state} ${address.zip}`,
        ]
          .filter(Boolean)
          .join(', '),
    ],
    ['Access notes', address?.access_notes],
  ]
}

function paymentFacts(order: Order): Fact[] {
  const { physician, icd_codes: codes } = order
  return [
    ['Who pays', describeBilling(order.billing_type).label],
    ['Diagnoses', codes?.length ? codes.join(', ') : null],
    ['Physician', physician && `${physician.first_name} ${physician.last_name}`],
    ['NPI', physician?.npi && <code>{physician.npi}</code>],
  ]
}

/** Links the orders that this one replaces or repeats, and those that replace or repeat it. */
function RelatedOrders({ order }: { order: Order }): ReactNode {
  const { teamId, env } = useEnvironment()
  const transaction = order.order_transaction
  const others = transaction?.orders.filter(({ id }) => id !== order.id) ?? []
  if (others.length === 0) return null
  return (
    <div>
      <h3 className="fact-title">Related orders</h3>
      <ul className="related-orders">
        {others.map((other) => (
          <li key={other.id}>
            <Link to="/$team/$env/orders/$order" params={{ team: teamId, env, order: other.id }}>
              {humanizeName(other.origin ?? 'order')} order
            </Link>
            , <Instant at={other.created_at} />:{' '}
            {describeOrderStatus(other.low_level_status ?? '').label}
          </li>
        ))}
      </ul>
      {transaction && <Id value={transaction.id} of="the order transaction" isShort />}
    </div>
  )
}
