import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatAge } from '../components/duration.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Instant } from '../components/instant.tsx'
import { Section } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { formatCount } from './format.ts'
import { type ProviderStatus, providersQuery } from './operation-queries.ts'

type Budget = ProviderStatus['budgets'][number]

/** Shows the pulls of each provider, and how many requests are left. */
export function ProvidersTab(): ReactNode {
  const { data, error, refetch } = useQuery(providersQuery)
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />
  return (
    <Section
      title="Providers"
      description="Salus pulls data from cloud providers within their limits; other providers push. Only budgets that are in use are listed."
    >
      <DataTable
        label="Providers"
        columns={COLUMNS}
        rows={data}
        rowKey={({ provider, env }) => `${provider} ${env}`}
        empty={
          <EmptyState title="No connections yet.">
            Providers appear here with their first connection.
          </EmptyState>
        }
      />
    </Section>
  )
}

function ConnectionsCell({ row }: { row: ProviderStatus }): ReactNode {
  const { connected, in_error: inError } = row
  return (
    <span className="operation-stack">
      <span>{formatCount(connected)} connected</span>
      {inError > 0 && <StatusBadge tone="bad">{formatCount(inError)} to reconnect</StatusBadge>}
    </span>
  )
}

function AskingCell({ row }: { row: ProviderStatus }): ReactNode {
  const { tasks, due, oldest_due_at: oldest, failing, failing_reason: reason } = row
  if (tasks === 0) return <span className="quiet">pushes data</span>
  return (
    <span className="operation-stack">
      <span>
        {formatCount(due)} of {formatCount(tasks)} due
        {oldest !== null && `, for up to ${formatAge(oldest)}`}
      </span>
      {failing > 0 && (
        <StatusBadge tone="warning">
          {formatCount(failing)} failing{reason === null ? '' : `: ${reason.replaceAll('_', ' ')}`}
        </StatusBadge>
      )}
    </span>
  )
}

function BudgetLine({ budget }: { budget: Budget }): ReactNode {
  const { per, requests, seconds, used, available, capacity, spent, blocked_until: until } = budget
  const whose = per === 'app' ? 'of the app' : `of ${used} ${used === 1 ? 'person' : 'people'}`
  const limit = requests === null ? 'no known limit' : `${requests} in ${seconds} s`
  return (
    <div className="operation-budget">
      <span className="quiet">
        {whose}, {limit}
      </span>
      {capacity !== null && available !== null && (
        <meter
          min={0}
          max={capacity}
          value={available}
          aria-label={`Requests left ${whose}: ${available} of ${capacity}`}
        />
      )}
      {until !== null && (
        <StatusBadge tone="warning">
          refused, waiting to retry <Instant at={until} isRelative />
        </StatusBadge>
      )}
      {until === null && spent > 0 && <StatusBadge tone="warning">used up for now</StatusBadge>}
    </div>
  )
}

const COLUMNS: Column<ProviderStatus>[] = [
  {
    key: 'provider',
    title: 'Provider',
    width: 'minmax(8rem, 1fr)',
    render: ({ provider_name: name, env }) => (
      <span className="operation-stack">
        <span>{name}</span>
        <span className="quiet">{env}</span>
      </span>
    ),
  },
  {
    key: 'connections',
    title: 'Connections',
    width: '9.5rem',
    render: (row) => <ConnectionsCell row={row} />,
  },
  {
    key: 'asking',
    title: 'Pulls',
    width: 'minmax(11rem, 1.3fr)',
    render: (row) => <AskingCell row={row} />,
  },
  {
    key: 'budgets',
    title: 'Budgets',
    width: 'minmax(13rem, 1.6fr)',
    render: ({ budgets, tasks }) =>
      budgets.length === 0 ? (
        <span className="quiet">{tasks === 0 ? '–' : 'full'}</span>
      ) : (
        budgets.map((budget) => (
          <BudgetLine key={`${budget.per} ${budget.requests} ${budget.seconds}`} budget={budget} />
        ))
      ),
  },
  {
    key: 'success',
    title: 'Last success',
    width: '8rem',
    render: ({ last_success_at: at }) => <Instant at={at} otherwise="–" isRelative />,
  },
]
