import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Failure } from '../components/failure.tsx'
import { Section } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { type ProviderSetup, providerSetupsQuery } from './operation-queries.ts'

/** Shows how far each provider was verified, and whether its app is configured. */
export function ProviderSetups(): ReactNode {
  const { data, error, refetch } = useQuery(providerSetupsQuery)
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />
  return (
    <Section
      title="Setup"
      description="How far the connector of each provider was verified, or why there is none. “salus providers check” prints the addresses to register, and checks them."
    >
      <DataTable
        label="Setup of providers"
        columns={COLUMNS}
        rows={data}
        rowKey={({ provider }) => provider}
        empty={null}
      />
    </Section>
  )
}

function StateCell({ row: { state, reason } }: { row: ProviderSetup }): ReactNode {
  return (
    <span className="operation-stack">
      <span>{state.replaceAll('_', ' ')}</span>
      {reason !== null && <span className="quiet">{reason}</span>}
    </span>
  )
}

function AppCell({ row }: { row: ProviderSetup }): ReactNode {
  const { app, team_apps: teams, reason } = row
  const isMissing = app === 'missing' && teams === 0 && reason === null
  return (
    <span className="operation-stack">
      {app === 'not_needed' && <span className="quiet">not needed</span>}
      {app === 'configured' && <StatusBadge tone="good">configured</StatusBadge>}
      {isMissing && <StatusBadge tone="warning">missing</StatusBadge>}
      {teams > 0 && <span>{teams === 1 ? 'of 1 team' : `of ${teams} teams`}</span>}
    </span>
  )
}

const COLUMNS: Column<ProviderSetup>[] = [
  {
    key: 'provider',
    title: 'Provider',
    width: 'minmax(8rem, 1fr)',
    render: ({ provider_name: name, auth_type: auth }) => (
      <span className="operation-stack">
        <span>{name}</span>
        <span className="quiet">{auth.replaceAll('_', ' ')}</span>
      </span>
    ),
  },
  {
    key: 'state',
    title: 'Verified',
    width: 'minmax(14rem, 3fr)',
    render: (row) => <StateCell row={row} />,
  },
  {
    key: 'production',
    title: 'Production',
    width: '7rem',
    render: ({ reason }) => (
      <StatusBadge tone={reason === null ? 'good' : 'neutral'}>
        {reason === null ? 'connects' : 'refuses'}
      </StatusBadge>
    ),
  },
  { key: 'app', title: 'App', width: '8rem', render: (row) => <AppCell row={row} /> },
  {
    key: 'resources',
    title: 'Resources',
    width: '6rem',
    isNumeric: true,
    render: ({ resources }) => resources.length,
  },
]
