import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { useSession } from '../../api/session.ts'
import { type Team, teamsQuery } from '../../api/teams.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { managementKeysKey, NewManagementKey } from './new-management-key.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { ROLE_WORDS } from './role-fields.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type ManagementKey = components['schemas']['ManagementKey']

function useManagementKeys(orgId: string) {
  const queryClient = useQueryClient()
  const queryKey = managementKeysKey(orgId)
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { next_cursor: pageParam }
      const params = { path: { org_id: orgId }, query }
      return unwrapResponse(management.GET('/v1/org/{org_id}/management_key', { params, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  const revoke = async ({ id }: ManagementKey): Promise<void> => {
    const params = { path: { org_id: orgId, key_id: id } }
    await unwrapResponse(management.DELETE('/v1/org/{org_id}/management_key/{key_id}', { params }))
    await queryClient.invalidateQueries({ queryKey })
    await queryClient.invalidateQueries({ queryKey: ['console sessions'] })
  }
  return { list, revoke }
}

/** Lists the management keys, which manage teams and sign in to the console. */
export function ManagementKeys(): ReactNode {
  const { organization, key: own } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const { list, revoke } = useManagementKeys(organization.id)
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<{ label: string; key: string }>()
  const [doomed, setDoomed] = useState<ManagementKey>()
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const columns = useMemo(() => columnsOf(teams, own.id, setDoomed), [teams, own.id])
  return (
    <Section
      title="Management keys"
      description="A management key opens this console and the management API with its role. Create one for each program; people are invited as users."
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          New management key
        </Button>
      }
    >
      {list.error !== null && rows === undefined ? (
        <Failure error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <DataTable
          label="Management keys"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          more={list}
          empty={
            <EmptyState title="You cannot see any keys.">Your own key has a wider role.</EmptyState>
          }
        />
      )}
      <NewManagementKey isOpen={isCreating} onClose={() => setCreating(false)} onMade={setMade} />
      <SecretDialog
        title={`Management key “${made?.label}”`}
        value={made?.key}
        onClose={() => setMade(undefined)}
      >
        It signs in to this console, and is sent in the header <code>x-management-key</code>.
      </SecretDialog>
      <RevokeDialog
        item={doomed}
        title={`Revoke the key “${doomed?.label}”?`}
        action="Revoke key"
        onRevoke={revoke}
        onClose={() => setDoomed(undefined)}
      >
        {doomed?.creator.type === 'openid_connect'
          ? 'This ends the open sessions of this person. They can sign in again as long as your identity provider grants them a role.'
          : 'All sessions and access tokens of the key end at once. This cannot be undone.'}
        {doomed?.id === own.id && ' You are signed in with this key.'}
      </RevokeDialog>
    </Section>
  )
}

function columnsOf(
  teams: readonly Team[],
  ownId: string,
  onRevoke: (key: ManagementKey) => void,
): readonly Column<ManagementKey>[] {
  const nameOf = (teamId: string): string => teams.find(({ id }) => id === teamId)?.name ?? teamId
  return [
    {
      key: 'label',
      title: 'Label',
      render: ({ id, label }) => (
        <span>
          {label}
          {id === ownId && <span className="quiet"> (you)</span>}
        </span>
      ),
    },
    { key: 'role', title: 'Role', render: ({ role }) => ROLE_WORDS[role] },
    {
      key: 'teams',
      title: 'Teams',
      render: ({ team_role_bindings: bindings }) =>
        bindings === null
          ? 'All'
          : bindings.map(({ team_id }) => nameOf(team_id)).join(', ') || 'None',
    },
    {
      key: 'environments',
      title: 'Environment',
      render: ({ environments }) =>
        environments === null
          ? 'Both'
          : environments.includes('sandbox')
            ? 'Sandbox'
            : 'Production',
    },
    { key: 'created', title: 'Created', render: ({ created_at: at }) => <Instant at={at} /> },
    {
      key: 'revoke',
      title: 'Actions',
      width: '6rem',
      render: (key) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={`Revoke ${key.label}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      ),
    },
  ]
}
