import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { endOfId } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { ERASURE_CAUSE, ERASURE_STATUS, type Erasure, erasuresQuery } from './erasure-queries.ts'

/** Lists erasures with their receipts. */
export function ErasuresTab(): ReactNode {
  const environment = useEnvironment()
  const list = useInfiniteQuery(erasuresQuery(environment))
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const columns = useMemo(() => columnsOf(environment), [environment])
  return (
    <Section
      title="Erasures"
      description="Each erasure ends with a signed receipt. The ids no longer refer to any data."
    >
      {list.error !== null && rows === undefined ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          label="Erasures"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          more={list}
          empty={
            <EmptyState title="No erasures yet.">
              Request an erasure on the page of a person, under Rights. Deleted people are erased
              after a week.
            </EmptyState>
          }
        />
      )}
    </Section>
  )
}

const columnsOf = ({ teamId: team, env }: Environment): readonly Column<Erasure>[] => [
  {
    key: 'person',
    title: 'Person',
    width: '7rem',
    render: ({ id, user_id: user }) => (
      <Link
        to="/$team/$env/rights/erasures/$erasure"
        params={{ team, env, erasure: id }}
        className="row-link"
      >
        <code title={user}>{endOfId(user)}</code>
      </Link>
    ),
  },
  {
    key: 'status',
    title: 'State',
    render: ({ status }) => {
      const { label, tone } = ERASURE_STATUS[status]
      return <StatusBadge tone={tone}>{label}</StatusBadge>
    },
  },
  { key: 'cause', title: 'Reason', width: '1.4fr', render: ({ cause }) => ERASURE_CAUSE[cause] },
  {
    key: 'requested',
    title: 'Requested',
    width: '1.4fr',
    render: ({ requested_at: at }) => <Instant at={at} />,
  },
  {
    key: 'completed',
    title: 'Erased',
    width: '1.4fr',
    render: ({ completed_at: at }) => <Instant at={at} otherwise="not yet" />,
  },
]
