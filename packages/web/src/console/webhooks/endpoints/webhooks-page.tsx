import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { formatMilliseconds } from '../../components/duration.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { formatQuantity } from '../../components/format-quantity.ts'
import { IconPlus } from '../../components/icons.tsx'
import { formatRelative } from '../../components/instant.tsx'
import { Page } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import {
  type Webhook,
  type WebhookStatus,
  webhookStatusQuery,
  webhooksQuery,
} from '../webhook-queries.ts'
import { describeWebhook } from '../webhook-words.ts'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'
import '../webhooks.css'

interface WebhookRow {
  webhook: Webhook
  status: WebhookStatus | undefined
}

function WebhookLink({ webhook }: WebhookRow): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <span className="webhooks-name">
      <Link
        to="/$team/$env/webhooks/$webhook"
        params={{ team: teamId, env, webhook: webhook.id }}
        className="row-link"
      >
        {webhook.url}
      </Link>
      {webhook.description && <span className="quiet">{webhook.description}</span>}
    </span>
  )
}

function StateCell({ webhook, status }: WebhookRow): ReactNode {
  const { tone, text } = describeWebhook(webhook, status)
  return <StatusBadge tone={tone}>{text}</StatusBadge>
}

function WaitingCell({ status }: WebhookRow): ReactNode {
  if (status === undefined) return '…'
  const { pending, retrying, oldest_pending_at: oldest } = status
  if (pending + retrying === 0) return <span className="quiet">none</span>
  return (
    <span className="webhooks-name">
      <span>{formatQuantity(pending + retrying, 'message')}</span>
      {oldest !== null && <span className="quiet">since {formatRelative(new Date(oldest))}</span>}
    </span>
  )
}

const COLUMNS: Column<WebhookRow>[] = [
  {
    key: 'url',
    title: 'Endpoint',
    width: 'minmax(12rem, 2.4fr)',
    render: (row) => <WebhookLink {...row} />,
  },
  {
    key: 'state',
    title: 'State',
    width: 'minmax(8.5rem, 1fr)',
    render: (row) => <StateCell {...row} />,
  },
  {
    key: 'types',
    title: 'Event types',
    width: '5.5rem',
    render: ({ webhook: { filter_types: types } }) =>
      types?.length ? `${types.length} chosen` : 'all',
  },
  { key: 'waiting', title: 'Waiting', width: '7.5rem', render: (row) => <WaitingCell {...row} /> },
  {
    key: 'attempts',
    title: 'Last 24 hours',
    width: '7rem',
    render: ({ status }) =>
      status && (
        <span className="webhooks-name">
          <span>{status.succeeded} sent</span>
          <span className="quiet">{status.failed} failed</span>
        </span>
      ),
  },
  {
    key: 'duration',
    title: 'Response time',
    width: '5rem',
    isNumeric: true,
    render: ({ status }) => formatMilliseconds(status?.duration_p50_ms ?? null),
  },
]

/** Lists the endpoints of an environment with their figures. */
export function WebhooksPage(): ReactNode {
  const environment = useEnvironment()
  const webhooks = useQuery(webhooksQuery(environment))
  const { data: statuses } = useQuery(webhookStatusQuery(environment))
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Allowed to="webhooks:write">
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
        Add endpoint
      </Button>
    </Allowed>
  )
  return (
    <Page
      title="Webhooks"
      description="Addresses of yours that receive a signed message for every event. Failed messages are retried for 28 hours, and can be sent again later."
      actions={add}
    >
      {webhooks.error !== null ? (
        <Failure error={webhooks.error} onRetry={() => webhooks.refetch()} />
      ) : (
        <DataTable
          label="Endpoints"
          columns={COLUMNS}
          rows={webhooks.data?.map((webhook) => ({ webhook, status: statuses?.get(webhook.id) }))}
          rowKey={({ webhook }) => webhook.id}
          empty={
            <EmptyState title="No endpoints yet." action={add}>
              Add the address of your server, or forward the events to your machine with{' '}
              <code>salus webhooks listen</code>. Until then every event is kept in the list of
              events, and can be recovered.
            </EmptyState>
          }
        />
      )}
      <NewWebhookDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
