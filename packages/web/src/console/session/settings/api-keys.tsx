import { Button, TextInput } from '@mantine/core'
import {
  useInfiniteQuery,
  useMutation,
  useQueryClient,
  useSuspenseQuery,
} from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { teamsQuery } from '../../api/teams.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
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
    create: async ({ label, expiresOn }: Wanted): Promise<ApiKey> => {
      const expires_at = expiresOn === '' ? null : new Date(`${expiresOn}T00:00:00`).toISOString()
      const body = { label, team_id: path.team_id, expires_at }
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
  const columns = useMemo(() => columnsOf(setDoomed), [])
  const button = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New API key
    </Button>
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

const columnsOf = (onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] => [
  { key: 'label', title: 'Label', render: ({ label }) => label },
  { key: 'value', title: 'Key', render: ({ value }) => <code>{value}</code> },
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

/** Fields of a new key; the day is empty for one that does not expire. */
interface Wanted {
  label: string
  expiresOn: string
}

interface NewApiKeyProps {
  isOpen: boolean
  onClose: () => void
  create: (wanted: Wanted) => Promise<ApiKey>
  onMade: (key: ApiKey) => void
}

function NewApiKey({ isOpen, onClose, create, onMade }: NewApiKeyProps): ReactNode {
  const { env } = useEnvironment()
  const [label, setLabel] = useState('')
  const [expiresOn, setExpiresOn] = useState('')
  const creation = useMutation({ mutationFn: () => create({ label: label.trim(), expiresOn }) })
  const close = (): void => {
    setLabel('')
    setExpiresOn('')
    creation.reset()
    onClose()
  }
  return (
    <Dialog title={`New API key of the ${env}`} isOpen={isOpen} onClose={close}>
      <form
        className="settings-dialog"
        onSubmit={(event) => {
          event.preventDefault()
          const onSuccess = (made: ApiKey): void => {
            close()
            onMade(made)
          }
          creation.mutate(undefined, { onSuccess })
        }}
      >
        <TextInput
          label="Label"
          description="The software that uses the key, so that you know later which one to revoke."
          required
          maxLength={80}
          autoComplete="off"
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        />
        <TextInput
          label="Expires on"
          description="The key is refused from the beginning of this day. Without a date it works until it is revoked."
          type="date"
          value={expiresOn}
          onChange={({ currentTarget }) => setExpiresOn(currentTarget.value)}
        />
        {creation.error !== null && <Failure error={creation.error} />}
        <div className="settings-dialog-end">
          <Button variant="subtle" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={creation.isPending} disabled={label.trim() === ''}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
