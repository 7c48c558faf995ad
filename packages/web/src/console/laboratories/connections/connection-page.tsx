import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Figure, Figures } from '../../components/figures.tsx'
import { endOfId } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useViewState } from '../../shell/view-state.ts'
import {
  type LabConnection,
  type Outgoing,
  type Received,
  useConnectionCommand,
  useConnections,
  useMessages,
} from './connection-queries.ts'
import { ConnectionAlerts, ConnectionState } from './connections-page.tsx'
import { MessageDialog } from './message-dialog.tsx'

const TABS = [
  { key: 'outgoing', title: 'Sent' },
  { key: 'received', title: 'Received' },
  { key: 'rejected', title: 'Rejected' },
] as const

/** One connection to a laboratory: its state, and its messages in both directions. */
export function ConnectionPage(): ReactNode {
  const { connection: name = '' } = useParams({ strict: false })
  const { teamId: team, env } = useEnvironment()
  const { data, error, refetch } = useConnections()
  const [{ tab }] = useViewState({ tab: 'outgoing' })
  const connection = data?.data.find((one) => one.name === name)
  return (
    <Page
      title={name}
      above={
        <Link to="/$team/$env/connections" params={{ team, env }}>
          Laboratory connections
        </Link>
      }
      actions={
        connection && (
          <Allowed to="settings:write">
            <HoldButton connection={connection} />
          </Allowed>
        )
      }
    >
      {error !== null && data === undefined && <Failure error={error} onRetry={() => refetch()} />}
      {data === undefined && error === null && <Waiting label="Loading the connection" lines={3} />}
      {data !== undefined && connection === undefined && (
        <EmptyState title="There is no such connection.">It may have been deleted.</EmptyState>
      )}
      {connection && (
        <>
          <State connection={connection} />
          <Tabs label="Messages" tabs={TABS} chosen={tab} />
          <Messages key={tab} connection={name} tab={tab} />
        </>
      )}
    </Page>
  )
}

function HoldButton({ connection: { name, is_held: isHeld } }: { connection: LabConnection }) {
  const act = useConnectionCommand(name)
  return (
    <>
      <Button
        variant="default"
        loading={act.isPending}
        onClick={() => act.mutate({ name: isHeld ? 'release' : 'hold' })}
      >
        {isHeld ? 'Send orders again' : 'Hold orders back'}
      </Button>
      {act.error !== null && <Failure error={act.error} />}
    </>
  )
}

function State({ connection }: { connection: LabConnection }): ReactNode {
  const { queue, lab, config } = connection
  return (
    <Figures>
      <Figure title="State" quiet={`${lab}, ${config.profile}`}>
        <ConnectionState connection={connection} />
      </Figure>
      <Figure
        title="Waiting"
        quiet={
          queue.oldest_waiting_at !== null && (
            <>
              since <Instant at={queue.oldest_waiting_at} />
            </>
          )
        }
      >
        {queue.waiting}
      </Figure>
      <Figure title="Refused">{queue.refused}</Figure>
      <Figure title="Alerts" quiet={connection.receiving_problem}>
        <ConnectionAlerts connection={connection} />
      </Figure>
    </Figures>
  )
}

function Messages({ connection, tab }: { connection: string; tab: string }): ReactNode {
  const direction = tab === 'outgoing' ? 'message' : 'received'
  const list = useMessages(connection, direction, tab === 'rejected' ? 'failed' : undefined)
  const [opened, setOpened] = useState<string>()
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const columns = useMemo(() => columnsOf(setOpened), [])
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={() => list.refetch()} />
  }
  return (
    <>
      <DataTable
        label="Messages"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        more={list}
        empty={
          <EmptyState title="No messages.">
            Messages appear here as they are sent and received.
          </EmptyState>
        }
      />
      {opened !== undefined && (
        <MessageDialog
          connection={connection}
          direction={direction}
          id={opened}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}

type Message = Outgoing | Received

const TONES: Partial<Record<Message['state'], 'good' | 'bad' | 'warning'>> = {
  accepted: 'good',
  processed: 'good',
  waiting: 'warning',
  held: 'warning',
  refused: 'bad',
  failed: 'bad',
}

/** Returns why a message was refused or could not be sent or applied. */
function reasonOf(message: Message): string {
  if ('received_at' in message) return message.message ?? ''
  const { answer_code: code, answer_location: location, problem } = message
  return [code, location, problem].filter((part) => part !== null).join(' ')
}

const columnsOf = (open: (id: string) => void): Column<Message>[] => [
  {
    key: 'time',
    title: 'Time',
    render: (row) => <Instant at={'received_at' in row ? row.received_at : row.created_at} />,
  },
  { key: 'control', title: 'Id', render: ({ control_id: id }) => <code>{id}</code> },
  {
    key: 'order',
    title: 'Order',
    width: '7rem',
    render: ({ order_id: id }) => (id === null ? 'none' : <code>{endOfId(id)}</code>),
  },
  {
    key: 'state',
    title: 'State',
    width: '7rem',
    render: ({ state }) => <StatusBadge tone={TONES[state] ?? 'neutral'}>{state}</StatusBadge>,
  },
  { key: 'reason', title: 'Reason', width: 'minmax(0, 2fr)', render: reasonOf },
  {
    key: 'open',
    title: 'Details',
    width: '6rem',
    render: ({ id }) => (
      <Button variant="subtle" size="compact-sm" onClick={() => open(id)}>
        Show
      </Button>
    ),
  },
]
