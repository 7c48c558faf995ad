import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatAge, formatMilliseconds } from '../components/duration.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Figure, Figures } from '../components/figures.tsx'
import { Section } from '../components/page.tsx'
import { StatusBadge, type Tone } from '../components/status-badge.tsx'
import { Waiting } from '../components/waiting.tsx'
import { formatCount } from './format.ts'
import { TeamName } from './jobs-tab.tsx'
import { MinuteBars } from './minute-bars.tsx'
import { type DeliveryStatus, deliveryQuery } from './operation-queries.ts'

type Endpoint = DeliveryStatus['endpoints'][number]

/** Shows how far deliveries are behind, and at which endpoints. */
export function DeliveryTab(): ReactNode {
  const { data, error, refetch } = useQuery(deliveryQuery)
  if (data === undefined) {
    return error === null ? (
      <Waiting label="Loading the delivery" lines={8} />
    ) : (
      <Failure error={error} onRetry={refetch} />
    )
  }
  const sum = (name: 'events' | 'succeeded' | 'failed'): number =>
    data.minutes.reduce((total, minute) => total + minute[name], 0)
  return (
    <>
      <DeliveryFigures status={data} />
      <div className="operation-stores">
        <Section
          title="Events written, last hour"
          description={`${formatCount(sum('events'))} in all`}
        >
          <MinuteBars
            label={`Events by minute: ${sum('events')} in the last hour.`}
            minutes={data.minutes.map(({ at, events }) => ({ at, good: events, bad: 0 }))}
          />
        </Section>
        <Section
          title="Attempts, last hour"
          description={`${formatCount(sum('succeeded'))} succeeded, ${formatCount(sum('failed'))} failed`}
        >
          <MinuteBars
            label={`Attempts by minute: ${sum('succeeded')} succeeded and ${sum('failed')} failed in the last hour.`}
            minutes={data.minutes.map(({ at, succeeded, failed }) => ({
              at,
              good: succeeded,
              bad: failed,
            }))}
          />
        </Section>
      </div>
      <Section
        title="Endpoints of all teams"
        description="Failing endpoints come first. The lag is the time from an event to its first attempt: lag at one endpoint is caused by that endpoint, lag at all of them by the server."
      >
        <DataTable
          label="Endpoints"
          columns={COLUMNS}
          rows={data.endpoints}
          rowKey={({ webhook_id: id }) => id}
          empty={<EmptyState title="No endpoints yet.">Teams add them under Webhooks.</EmptyState>}
        />
      </Section>
    </>
  )
}

function DeliveryFigures({ status: { outbox, endpoints } }: { status: DeliveryStatus }): ReactNode {
  const pending = endpoints.reduce((total, endpoint) => total + endpoint.pending, 0)
  const retrying = endpoints.reduce((total, endpoint) => total + endpoint.retrying, 0)
  const failing = endpoints.filter(({ failures }) => failures > 0).length
  const oldest = endpoints
    .flatMap(({ oldest_pending_at: at }) => at ?? [])
    .sort()
    .at(0)
  return (
    <Figures>
      <Figure
        title="Undispatched events"
        quiet={outbox.oldest_at === null ? 'none' : `for up to ${formatAge(outbox.oldest_at)}`}
      >
        {formatCount(outbox.events)}
      </Figure>
      <Figure
        title="First attempts due"
        quiet={oldest === undefined ? 'none' : `for up to ${formatAge(oldest)}`}
      >
        {formatCount(pending)}
      </Figure>
      <Figure title="Retries" quiet="after a failure">
        {formatCount(retrying)}
      </Figure>
      <Figure title="Endpoints that fail" quiet={`of ${endpoints.length}`}>
        {failing}
      </Figure>
    </Figures>
  )
}

function EndpointCell({ endpoint }: { endpoint: Endpoint }): ReactNode {
  const { organization } = useSession()
  const { team, host, webhook_id: webhook } = endpoint
  // The key has no access to endpoints of other organizations.
  if (team === null || team.organization_id !== organization.id) return host
  return (
    <Link
      to="/$team/$env/webhooks/$webhook"
      params={{ team: team.id, env: team.env, webhook }}
      className="row-link"
    >
      {host}
    </Link>
  )
}

function describeState({ disabled_reason: off, failing_since: since, failures }: Endpoint): {
  tone: Tone
  text: string
} {
  if (off !== null) return { tone: off === 'manual' ? 'neutral' : 'bad', text: 'Switched off' }
  if (since !== null) return { tone: 'bad', text: `Failing for ${formatAge(since)}` }
  if (failures > 0)
    return {
      tone: 'warning',
      text: failures === 1 ? 'Failed once' : `${failures} failures in a row`,
    }
  return { tone: 'good', text: 'Working' }
}

const COLUMNS: Column<Endpoint>[] = [
  {
    key: 'host',
    title: 'Endpoint',
    width: 'minmax(9rem, 1.5fr)',
    render: (endpoint) => <EndpointCell endpoint={endpoint} />,
  },
  { key: 'team', title: 'Team', width: '7rem', render: ({ team }) => <TeamName team={team} /> },
  {
    key: 'state',
    title: 'State',
    width: 'minmax(8rem, 1fr)',
    render: (endpoint) => {
      const { tone, text } = describeState(endpoint)
      return <StatusBadge tone={tone}>{text}</StatusBadge>
    },
  },
  {
    key: 'waiting',
    title: 'Waiting',
    isNumeric: true,
    width: '4rem',
    render: ({ pending, retrying }) => formatCount(pending + retrying),
  },
  {
    key: 'hour',
    title: 'Last hour',
    width: '6.5rem',
    render: ({ succeeded, failed }) => (
      <span className="operation-stack">
        <span>{formatCount(succeeded)} sent</span>
        <span className="quiet">{formatCount(failed)} failed</span>
      </span>
    ),
  },
  {
    key: 'duration',
    title: 'Answers in',
    isNumeric: true,
    width: '5rem',
    render: ({ duration_p50_ms: duration }) => formatMilliseconds(duration),
  },
  {
    key: 'lag',
    title: 'Lag',
    isNumeric: true,
    width: '4.5rem',
    render: ({ lag_p95_ms: lag }) => formatMilliseconds(lag),
  },
]
