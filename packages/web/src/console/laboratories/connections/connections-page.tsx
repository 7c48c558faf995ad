import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { type LabConnection, useConnections } from './connection-queries.ts'

const ALERTS: Record<LabConnection['alerts'][number], string> = {
  no_message: 'No message',
  queue_old: 'Queue is old',
  rejected: 'Rejected',
  not_receiving: 'Not receiving',
}

/** The connections to laboratories of the environment, with what needs the operator. */
export function ConnectionsPage(): ReactNode {
  const environment = useEnvironment()
  const { data, error, refetch } = useConnections()
  const columns = useMemo(() => columnsOf(environment), [environment])
  return (
    <Page
      title="Laboratory connections"
      description="Orders go out and results come in over these connections."
    >
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : (
        <DataTable
          label="Laboratory connections"
          columns={columns}
          rows={data?.data}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No connections to laboratories.">
              Import one with <code>salus lab-connection import</code>.
            </EmptyState>
          }
        />
      )}
    </Page>
  )
}

/** Shows whether a connection works, and whether it is held. */
export function ConnectionState({ connection }: { connection: LabConnection }): ReactNode {
  if (!connection.is_enabled) return <StatusBadge tone="neutral">Disabled</StatusBadge>
  if (connection.is_held) return <StatusBadge tone="warning">Held</StatusBadge>
  return <StatusBadge tone="good">Enabled</StatusBadge>
}

export function ConnectionAlerts({ connection }: { connection: LabConnection }): ReactNode {
  if (connection.alerts.length === 0) return <span className="quiet">none</span>
  return connection.alerts.map((alert) => (
    <StatusBadge key={alert} tone="bad">
      {ALERTS[alert]}
    </StatusBadge>
  ))
}

const timeOf = (at: string | null): ReactNode =>
  at === null ? <span className="quiet">never</span> : <Instant at={at} />

const columnsOf = ({ teamId: team, env }: Environment): Column<LabConnection>[] => [
  {
    key: 'name',
    title: 'Connection',
    render: ({ name: connection }) => (
      <Link to="/$team/$env/connections/$connection" params={{ team, env, connection }}>
        {connection}
      </Link>
    ),
  },
  { key: 'lab', title: 'Laboratory', render: ({ lab }) => lab },
  {
    key: 'state',
    title: 'State',
    width: '7rem',
    render: (connection) => <ConnectionState connection={connection} />,
  },
  {
    key: 'waiting',
    title: 'Waiting',
    width: '5rem',
    isNumeric: true,
    render: ({ queue }) => queue.waiting,
  },
  { key: 'answered', title: 'Last answer', render: ({ queue }) => timeOf(queue.last_answered_at) },
  { key: 'received', title: 'Last received', render: (row) => timeOf(row.last_received_at) },
  {
    key: 'alerts',
    title: 'Alerts',
    render: (connection) => <ConnectionAlerts connection={connection} />,
  },
]
