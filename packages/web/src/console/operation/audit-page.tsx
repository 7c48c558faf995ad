import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Instant } from '../components/instant.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { useViewState } from '../shell/view-state.ts'
import { AuditFilters, type AuditView, NO_AUDIT_FILTER } from './audit-filters.tsx'
import { TeamName } from './jobs-tab.tsx'
import { OnlyForOperators } from './operation-page.tsx'
import type { AuditRow } from './operation-queries.ts'
import './operation.css'
import { endOfId } from '../components/id.tsx'

/** The audit log of the whole installation, newest first. */
export function AuditPage(): ReactNode {
  const { is_operator: isOperator } = useSession()
  return (
    <Page
      title="Audit log"
      above={<Link to="/operation">Operation</Link>}
      description="Every request with its caller and outcome. The log does not contain data that were read or written."
    >
      {isOperator ? <AuditList /> : <OnlyForOperators />}
    </Page>
  )
}

function useAuditLog({ what, tokens, ...view }: AuditView) {
  const filter = Object.fromEntries(Object.entries(view).filter(([, value]) => value !== ''))
  const query = {
    ...filter,
    console_tokens: tokens === 'yes',
    ...(what === 'reads' && { reads: true }),
    ...(what === 'management' && { route: '/v1/*' }),
  }
  return useInfiniteQuery({
    queryKey: ['operation', 'audit', query],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/operation/audit_log', {
          params: { query: { ...query, ...(pageParam !== '' && { next_cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
}

function AuditList(): ReactNode {
  const [view, change] = useViewState(NO_AUDIT_FILTER)
  const { data, error, refetch, hasNextPage, isFetching, fetchNextPage } = useAuditLog(view)
  const rows = data?.pages.flatMap((page) => page.data)
  const searched = data?.pages.at(-1)?.searched_back_to
  return (
    <>
      <AuditFilters view={view} onChange={change} />
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label="Audit log"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ at, sequence, team }) => [at, sequence, team?.id, team?.env].join(' ')}
          empty={
            <EmptyState title="No entries match.">Clear a filter, or include reads.</EmptyState>
          }
          more={{ hasNextPage, isFetchingNextPage: isFetching, fetchNextPage }}
        />
      )}
      {hasNextPage && searched && (
        <p className="quiet operation-line" role="status">
          Searched back to <Instant at={searched} />.
        </p>
      )}
    </>
  )
}

/** Labels of the types of actors. */
const ACTORS: Readonly<Record<string, string>> = {
  api_key: 'Team key',
  access_token: 'Access token',
  management_key: 'Management key',
  console_session: 'Console',
  mobile_session: 'App',
  link_token: 'Link page',
  link_code: 'Link code',
  smart_client: 'SMART client',
  system: 'Salus',
}

function OutcomeCell({ row: { status } }: { row: AuditRow }): ReactNode {
  if (status === null) return <StatusBadge tone="warning">unknown</StatusBadge>
  if (status < 400) return <StatusBadge tone="good">succeeded</StatusBadge>
  const tone = status < 500 ? 'warning' : 'bad'
  return (
    <StatusBadge tone={tone}>{`${status < 500 ? 'refused' : 'failed'}, ${status}`}</StatusBadge>
  )
}

/** Removes the prefix that most routes of the management API share. */
const shortenRoute = (route: string): string =>
  route.replace(/^\/v1\/org\/:org_id(\/team\/:team_id\/:env)?(?=\/)/, '…')

const COLUMNS: Column<AuditRow>[] = [
  {
    key: 'action',
    title: 'What',
    width: 'minmax(15rem, 2fr)',
    render: ({ action, method, route }) => (
      <span className="operation-stack operation-route" title={`${method} ${route}`}>
        {action !== null && <span>{action}</span>}
        <span className={action === null ? undefined : 'quiet'}>
          <b>{method}</b> <code>{shortenRoute(route)}</code>
        </span>
      </span>
    ),
  },
  {
    key: 'actor',
    title: 'Who',
    width: 'minmax(7.5rem, 1fr)',
    render: ({ actor_kind: kind, actor_label: label, actor_id: id }) => (
      <span className="operation-stack" title={id ?? undefined}>
        <span>{ACTORS[kind] ?? kind.replaceAll('_', ' ')}</span>
        <span className="quiet">{label ?? (id && endOfId(id))}</span>
      </span>
    ),
  },
  { key: 'team', title: 'Team', width: '5.5rem', render: ({ team }) => <TeamName team={team} /> },
  {
    key: 'about',
    title: 'About',
    width: '5rem',
    render: ({ user_id: user, object_id: object }) => (
      <span className="operation-stack">
        {user !== null && <code title={user}>{endOfId(user)}</code>}
        {object !== null && (
          <code className="quiet" title={object}>
            {endOfId(object)}
          </code>
        )}
      </span>
    ),
  },
  { key: 'outcome', title: 'Outcome', width: '6.5rem', render: (row) => <OutcomeCell row={row} /> },
  { key: 'at', title: 'When', width: '11.5rem', render: ({ at }) => <Instant at={at} /> },
]
