import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconCheck, IconX } from '../../components/icons.tsx'
import { endOfId } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { describeOrderStatus } from '../../components/order-words.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { AcceptOrder } from './decide-result.tsx'
import { candidateOrderQuery } from './matching-queries.ts'
import { type Candidate, CONFIDENCE, type HeldResult, REASON } from './matching-words.ts'

type Order = components['schemas']['Order']

interface Compared {
  userId: string | null
  orderId: string
  candidate: Candidate
  /** Undefined while it is loading. */
  order: Order | undefined
}

/** Compares the reported result with each candidate order, one column each. */
export function Comparison({ result }: { result: HeldResult }): ReactNode {
  const compared = useCompared(result)
  if (compared.length === 0) {
    return (
      <EmptyState title="No order matches.">
        Neither the sample nor the patient is known. If you know the person, you can create an order
        for them.
      </EmptyState>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by keyboard
    <section className="matching-table" aria-label="Comparison" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">Reported</th>
            {compared.map((each) => (
              <th key={each.orderId} scope="col">
                <OrderHead {...each} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <FactRows result={result} compared={compared} />
          <JudgementRows result={result} compared={compared} />
        </tbody>
      </table>
    </section>
  )
}

function useCompared(result: HeldResult): Compared[] {
  const environment = useEnvironment()
  const all = result.candidate_groups.flatMap(({ user_id: userId, candidates }) =>
    candidates.flatMap((candidate) =>
      candidate.order_id === null ? [] : [{ userId, candidate, orderId: candidate.order_id }],
    ),
  )
  const orders = useQueries({
    queries: all.map(({ orderId }) => candidateOrderQuery(environment, orderId)),
  })
  return all.map((each, index) => ({ ...each, order: orders[index]?.data }))
}

function OrderHead({ userId, orderId, candidate, order }: Compared): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { label, tone } = CONFIDENCE[candidate.confidence_level]
  return (
    <span className="matching-order">
      <Link to="/$team/$env/orders/$order" params={{ team, env, order: orderId }}>
        {order?.lab_test.name ?? `Order ${endOfId(orderId)}`}
      </Link>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {userId !== null && (
        <Link
          to="/$team/$env/people/$user"
          params={{ team, env, user: userId }}
          className="matching-person"
        >
          The person
        </Link>
      )}
    </span>
  )
}

const capitalize = (text: string | null | undefined): string | undefined =>
  text ? text.charAt(0).toUpperCase() + text.slice(1) : undefined

/** The facts to be compared. */
const FACTS: readonly {
  title: string
  reported: (result: HeldResult) => string | null | undefined
  ordered: (order: Order) => string | null | undefined
}[] = [
  {
    title: 'First name',
    reported: ({ patient }) => patient?.first_name,
    ordered: ({ patient_details: patient }) => patient?.first_name,
  },
  {
    title: 'Last name',
    reported: ({ patient }) => patient?.last_name,
    ordered: ({ patient_details: patient }) => patient?.last_name,
  },
  {
    title: 'Birth date',
    reported: ({ patient }) => patient?.dob?.slice(0, 10),
    ordered: ({ patient_details: patient }) => patient?.dob?.slice(0, 10),
  },
  {
    title: 'Sex',
    reported: ({ patient }) => capitalize(patient?.gender),
    ordered: ({ patient_details: patient }) => capitalize(patient?.gender),
  },
  {
    title: 'Sample',
    reported: ({ sample_id: sample }) => sample,
    ordered: ({ sample_id: sample }) => sample,
  },
]

const simplify = (text: string | null | undefined): string => (text ?? '').trim().toLowerCase()

function FactRows({ result, compared }: { result: HeldResult; compared: Compared[] }): ReactNode {
  return FACTS.map(({ title, reported, ordered }) => {
    const reportedValue = reported(result)
    return (
      <tr key={title}>
        <th scope="row">{title}</th>
        <td>{reportedValue ?? <span className="quiet">not reported</span>}</td>
        {compared.map(({ orderId, order }) => (
          <td key={orderId}>
            {order === undefined ? (
              '…'
            ) : (
              <Fact
                reportedValue={reportedValue}
                text={ordered(order)}
                isSame={isAlike(reportedValue, ordered(order))}
              />
            )}
          </td>
        ))}
      </tr>
    )
  })
}

const isAlike = (one: string | null | undefined, other: string | null | undefined): boolean =>
  simplify(one) === simplify(other)

interface FactProps {
  reportedValue: string | null | undefined
  text: string | null | undefined
  isSame: boolean
}

function Fact({ reportedValue, text, isSame }: FactProps): ReactNode {
  if (!text) return <span className="quiet">not known</span>
  if (!reportedValue) return text
  const Icon = isSame ? IconCheck : IconX
  return (
    <span className="matching-fact" data-same={isSame}>
      <Icon size={15} role="img" aria-label={isSame ? 'The same:' : 'Different:'} />
      {text}
    </span>
  )
}

function JudgementRows({
  result,
  compared,
}: {
  result: HeldResult
  compared: Compared[]
}): ReactNode {
  const mayAccept = result.allowed_actions.includes('accept')
  return (
    <>
      <tr>
        <th scope="row">Tests</th>
        <td />
        {compared.map(({ orderId, candidate: { marker_overlap: overlap } }) => (
          <td key={orderId}>
            {overlap === null
              ? ''
              : `${overlap.shared} of ${overlap.reported} reported results are ordered`}
          </td>
        ))}
      </tr>
      <tr>
        <th scope="row">State</th>
        <td />
        {compared.map(({ orderId, candidate }) => (
          <td key={orderId}>
            <OrderState candidate={candidate} />
          </td>
        ))}
      </tr>
      <tr>
        <th scope="row">Why</th>
        <td />
        {compared.map(({ orderId, candidate: { reasons } }) => (
          <td key={orderId}>
            <ul className="matching-reasons">
              {reasons.map((reason) => (
                <li key={reason}>{REASON[reason]}</li>
              ))}
            </ul>
          </td>
        ))}
      </tr>
      {mayAccept && (
        <tr>
          <th scope="row">Accept</th>
          <td />
          {compared.map(({ orderId, candidate }) => (
            <td key={orderId}>
              <AcceptOrder result={result} orderId={orderId} candidate={candidate} />
            </td>
          ))}
        </tr>
      )}
    </>
  )
}

function OrderState({
  candidate: { last_status: status, status_context: context },
}: {
  candidate: Candidate
}): ReactNode {
  if (status === null) return null
  return (
    <>
      {describeOrderStatus(status).label}
      {context !== null && (
        <span className="quiet">
          {' '}
          since <Instant at={context.last_status_at} />
        </span>
      )}
    </>
  )
}
