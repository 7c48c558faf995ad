import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Id } from '../../components/id.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { EventTable } from '../events/event-table.tsx'
import { type Webhook, webhookStatusQuery, webhooksQuery } from '../webhook-queries.ts'
import { DELIVERY_STATUSES } from '../webhook-words.ts'
import { AttemptHistogram } from './attempt-histogram.tsx'
import { AttemptList } from './attempt-list.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookFigures } from './webhook-figures.tsx'
import { WebhookSettings } from './webhook-settings.tsx'
import '../webhooks.css'

const TABS = [
  { key: 'messages', title: 'Messages' },
  { key: 'attempts', title: 'Attempts' },
  { key: 'settings', title: 'Settings' },
]

function AllWebhooks(): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <Link to="/$team/$env/webhooks" params={{ team: teamId, env }}>
      Webhooks
    </Link>
  )
}

/** One endpoint: its figures, messages, attempts and settings. */
export function WebhookPage(): ReactNode {
  const environment = useEnvironment()
  const { webhook: id } = useParams({ strict: false }) as { webhook: string }
  const webhooks = useQuery(webhooksQuery(environment))
  const webhook = webhooks.data?.find((candidate) => candidate.id === id)
  if (webhook !== undefined) return <LoadedWebhook key={webhook.id} webhook={webhook} />
  return (
    <Page title="Webhook" above={<AllWebhooks />}>
      {webhooks.error !== null && (
        <Failure error={webhooks.error} onRetry={() => webhooks.refetch()} />
      )}
      {webhooks.isPending && <Waiting label="Loading the endpoint" lines={8} />}
      {webhooks.data !== undefined && (
        <EmptyState title="The endpoint was not found.">
          It was removed, or belongs to another environment. See the list of webhooks.
        </EmptyState>
      )}
    </Page>
  )
}

function LoadedWebhook({ webhook }: { webhook: Webhook }): ReactNode {
  const { data: statuses } = useQuery(webhookStatusQuery(useEnvironment()))
  const [{ tab }] = useViewState({ tab: 'messages' })
  const status = statuses?.get(webhook.id)
  const { host, pathname } = new URL(webhook.url)
  return (
    <Page
      title={host}
      documentTitle="Webhook"
      above={<AllWebhooks />}
      description={
        <>
          <code className="webhooks-path">{pathname}</code>
          {webhook.description && ` · ${webhook.description}`} ·{' '}
          <Id value={webhook.id} of="the endpoint" isShort />
        </>
      }
      actions={
        <Allowed to="webhooks:write">
          <WebhookActions webhook={webhook} />
        </Allowed>
      }
    >
      <WebhookFigures webhook={webhook} status={status} />
      <AttemptHistogram webhookId={webhook.id} />
      <Tabs label="Parts of the endpoint" tabs={TABS} chosen={tab} />
      {tab === 'messages' && <WebhookMessages webhookId={webhook.id} />}
      {tab === 'attempts' && (
        <Section
          title="Attempts"
          description="Every request to the endpoint with its response, newest first."
        >
          <AttemptList webhookId={webhook.id} />
        </Section>
      )}
      {tab === 'settings' && <WebhookSettings webhook={webhook} />}
    </Page>
  )
}

const STATUSES = [
  { key: '', title: 'All' },
  ...Object.entries(DELIVERY_STATUSES).map(([key, { text }]) => ({ key, title: text })),
]

function WebhookMessages({ webhookId }: { webhookId: string }): ReactNode {
  const [{ status }] = useViewState({ status: '' })
  return (
    <Section
      title="Messages"
      description="Events that were sent to this endpoint, or are waiting. Open one to see its attempts, and to send it again."
      actions={
        <Tabs label="State of the messages" parameter="status" tabs={STATUSES} chosen={status} />
      }
    >
      <EventTable
        filter={{ webhook_id: webhookId, status }}
        webhookId={webhookId}
        empty={
          <EmptyState title={status === '' ? 'No messages yet.' : 'No messages match.'}>
            {status === ''
              ? 'Send an example to test the endpoint, or recover events from before it was added.'
              : 'Choose another state above.'}
          </EmptyState>
        }
      />
    </Section>
  )
}
