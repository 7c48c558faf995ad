import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { endOfId } from '../../../components/id.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { accessQuery } from '../laboratory/lab-queries.ts'

type AuditRow = components['schemas']['AuditRow']

/**
 * Lists requests that read or changed data of the person, from the audit log; loaded only on
 * demand.
 */
export function AccessLog({ userId }: { userId: string }): ReactNode {
  const [isShown, setShown] = useState(false)
  const query = useInfiniteQuery({
    ...accessQuery(useEnvironment(), userId),
    enabled: isShown,
  })
  const pages = query.data?.pages
  return (
    <Section
      id="access"
      title="Access log"
      description="Every request about the person, from the audit log, with its caller and outcome. The log does not contain the data."
    >
      {!isShown && (
        <div>
          <Button variant="default" onClick={() => setShown(true)}>
            Show requests
          </Button>
        </div>
      )}
      {query.error !== null && <Failure error={query.error} onRetry={query.refetch} />}
      {isShown && query.error === null && (
        <DataTable
          label="Requests about the person"
          columns={COLUMNS}
          rows={pages?.flatMap((page) => page.data)}
          rowKey={({ sequence }) => String(sequence)}
          empty={<EmptyState title="No requests about the person are in the log." />}
        />
      )}
      {query.hasNextPage && (
        <div>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            Load older requests
          </Button>
        </div>
      )}
    </Section>
  )
}

const ACTORS: Readonly<Record<string, string>> = {
  api_key: 'Key of the team',
  management_key: 'Management key',
  access_token: 'Access token',
  console_session: 'Console',
  mobile_session: 'App on a phone',
  link_code: 'Link code',
  smart_client: 'SMART client',
  link_token: 'Link page',
  system: 'Salus',
}

const COLUMNS: readonly Column<AuditRow>[] = [
  { key: 'at', title: 'When', width: '1.2fr', render: ({ at }) => <Instant at={at} /> },
  {
    key: 'actor',
    title: 'Who',
    width: '1.4fr',
    render: ({ actor_kind: kind, actor_label: label, actor_id: id }) => (
      <span>
        {ACTORS[kind] ?? kind}
        <span className="quiet event-reason">{label ?? (id && endOfId(id))}</span>
      </span>
    ),
  },
  {
    key: 'what',
    title: 'What',
    width: '2fr',
    render: ({ action, method, route }) => (
      <span>
        {action}
        <code className="event-reason quiet">
          {method} {route}
        </code>
      </span>
    ),
  },
  { key: 'status', title: 'Outcome', width: '8rem', render: (row) => <Outcome row={row} /> },
]

function Outcome({ row: { status, method } }: { row: AuditRow }): ReactNode {
  if (status === null) return <StatusBadge tone="warning">Unknown</StatusBadge>
  if (status >= 500) return <StatusBadge tone="bad">Failed, {status}</StatusBadge>
  if (status >= 400) return <StatusBadge tone="warning">Refused, {status}</StatusBadge>
  return <StatusBadge tone="neutral">{method === 'GET' ? 'Read' : 'Succeeded'}</StatusBadge>
}
