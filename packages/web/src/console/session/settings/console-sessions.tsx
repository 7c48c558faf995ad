import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { useSession } from '../../api/session.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'

type Session = components['schemas']['ListedConsoleSession']

const WAYS = {
  management_key: 'Management key',
  code: 'One-time link',
  openid_connect: 'Identity provider',
  password: 'Password',
  passkey: 'Passkey',
} as const

function useConsoleSessions(orgId: string) {
  const queryClient = useQueryClient()
  const queryKey = ['console sessions', orgId]
  const params = { path: { org_id: orgId } }
  const onSuccess = (): Promise<void> => queryClient.invalidateQueries({ queryKey })
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      unwrapResponse(management.GET('/v1/org/{org_id}/console_session', { params, signal })),
  })
  const ending = useMutation({
    mutationFn: (sessionId: string) =>
      unwrapResponse(
        management.DELETE('/v1/org/{org_id}/console_session/{session_id}', {
          params: { path: { org_id: orgId, session_id: sessionId } },
        }),
      ),
    onSuccess,
  })
  const endingOthers = useMutation({
    mutationFn: () =>
      unwrapResponse(management.DELETE('/v1/org/{org_id}/console_session', { params })),
    onSuccess,
  })
  return { list, ending, endingOthers }
}

/**
 * Lists the sessions of the console.
 * @param keyId Id of the key or user whose sessions are listed; without it, all that may be seen
 */
export function ConsoleSessions({ keyId }: { keyId?: string }): ReactNode {
  const { organization, key } = useSession()
  const { list, ending, endingOthers } = useConsoleSessions(organization.id)
  const { mutate: end } = ending
  const columns = useMemo(() => columnsOf(end), [end])
  const rows = list.data?.data.filter((row) => keyId === undefined || row.key.id === keyId)
  const hasOthers = rows?.some((row) => row.key.id === key.id && !row.is_current) ?? false
  const failure = ending.error ?? endingOthers.error
  return (
    <Section
      title="Console sessions"
      description="A session ends after half an hour without use, after eight hours, or when its key or user loses access."
      actions={
        hasOthers && (
          <Button
            variant="subtle"
            loading={endingOthers.isPending}
            onClick={() => endingOthers.mutate()}
          >
            Sign out my other sessions
          </Button>
        )
      }
    >
      {failure !== null && <Failure error={failure} />}
      {list.error !== null && rows === undefined ? (
        <Failure error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <DataTable
          label="Sessions"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<p className="quiet">No sessions.</p>}
        />
      )}
    </Section>
  )
}

const columnsOf = (onEnd: (sessionId: string) => void): readonly Column<Session>[] => [
  {
    key: 'label',
    title: 'User or key',
    render: ({ key, is_current: isCurrent }) => (
      <span>
        {key.label}
        {isCurrent && <span className="quiet"> (this browser)</span>}
      </span>
    ),
  },
  { key: 'way', title: 'Method', render: (row) => WAYS[row.signed_in_with] },
  { key: 'since', title: 'Since', render: (row) => <Instant at={row.created_at} /> },
  {
    key: 'used',
    title: 'Last used',
    render: (row) => <Instant at={row.last_used_at} isRelative />,
  },
  {
    key: 'end',
    title: 'Actions',
    width: '6rem',
    render: (row) =>
      !row.is_current && (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Sign out ${row.key.label}`}
          onClick={() => onEnd(row.id)}
        >
          Sign out
        </Button>
      ),
  },
]
