import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { usePermission } from '../../api/session.ts'
import { teamsQuery } from '../../api/teams.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { NewApiKey, type WantedKey } from './new-api-key.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { SecretDialog } from './secret-dialog.tsx'

type ApiKey = components['schemas']['TeamApiKey']

const URL = '/v1/org/{org_id}/team_api_keys/{env}/{region}'

/** Returns the requests about keys of this environment. */
function useApiKeys() {
  const { path, key } = useEnvironment()
  const { data: teams } = useSuspenseQuery(teamsQuery(path.org_id))
  const queryClient = useQueryClient()
  const region = (teams.find(({ id }) => id === path.team_id)?.region ?? 'us') as 'us' | 'eu'
  const params = { path: { org_id: path.org_id, env: path.env, region } }
  const queryKey = [...key, 'api keys']
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey })
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { team_id: path.team_id, ...(pageParam && { next_cursor: pageParam }) }
      return unwrapResponse(management.GET(URL, { params: { ...params, query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  return {
    list,
    create: async ({ label, expiresOn, access, scopes }: WantedKey): Promise<ApiKey> => {
      const expires_at = expiresOn === '' ? null : new Date(`${expiresOn}T00:00:00`).toISOString()
      const body = { label, team_id: path.team_id, expires_at, access, scopes }
      const made = await unwrapResponse(management.POST(URL, { params, body }))
      await refresh()
      return made
    },
    revoke: async ({ id }: ApiKey): Promise<void> => {
      await unwrapResponse(
        management.DELETE(URL, { params: { ...params, query: { api_key_id: [id] } } }),
      )
      await refresh()
    },
  }
}

/** Lists the keys with which servers of the team call the API. */
export function ApiKeys(): ReactNode {
  const { env } = useEnvironment()
  const { list, create, revoke } = useApiKeys()
  const [isCreating, setCreating] = useState(false)
  const [made, setMade] = useState<ApiKey>()
  const [doomed, setDoomed] = useState<ApiKey>()
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.api_keys), [list.data])
  const mayChange = usePermission('keys:write')
  const columns = useMemo(() => columnsOf(mayChange ? setDoomed : undefined), [mayChange])
  const button = (
    <Allowed to="keys:write">
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
        New API key
      </Button>
    </Allowed>
  )
  return (
    <Section
      title="API keys"
      description={`Your servers send an API key to read and write data of the ${env}. Anyone with a key can do so, so keep it out of apps and pages.`}
      actions={button}
    >
      {list.error !== null && rows === undefined ? (
        <Failure error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <DataTable
          label="API keys"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          more={list}
          empty={
            <EmptyState title={`The ${env} has no API keys yet.`} action={button}>
              Servers need one to store or read data.
            </EmptyState>
          }
        />
      )}
      <NewApiKey
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        create={create}
        onMade={setMade}
      />
      <SecretDialog
        title={`API key “${made?.label}”`}
        value={made?.value}
        onClose={() => setMade(undefined)}
      >
        Configure it in your server, which sends it in the header <code>x-service-api-key</code>.
      </SecretDialog>
      <RevokeDialog
        item={doomed}
        title={`Revoke the key “${doomed?.label}”?`}
        action="Revoke key"
        onRevoke={revoke}
        onClose={() => setDoomed(undefined)}
      >
        Requests with the key are refused from now on. To replace a key without a gap, create the
        new one first.
      </RevokeDialog>
    </Section>
  )
}

/** Returns what a key may do, in a few words. */
function accessOf({ access, scopes }: ApiKey): ReactNode {
  if (scopes !== null) {
    const count = scopes.length === 1 ? '1 permission' : `${scopes.length} permissions`
    return <span title={scopes.join(', ')}>{count}</span>
  }
  return access === 'read' ? 'Read only' : 'Everything'
}

const columnsOf = (onRevoke: ((key: ApiKey) => void) | undefined): readonly Column<ApiKey>[] => [
  { key: 'label', title: 'Label', render: ({ label }) => label },
  { key: 'value', title: 'Key', render: ({ value }) => <code>{value}</code> },
  { key: 'access', title: 'Access', render: accessOf },
  { key: 'created', title: 'Created', render: ({ created_at: at }) => <Instant at={at} /> },
  {
    key: 'used',
    title: 'Last used',
    render: ({ last_used_at: at }) => <Instant at={at} otherwise="never" />,
  },
  {
    key: 'expires',
    title: 'Expires',
    render: ({ expires_at: at }) => <Instant at={at} otherwise="never" />,
  },
  {
    key: 'revoke',
    title: 'Actions',
    width: '6rem',
    render: (key) =>
      onRevoke && (
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
