import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { sessionQuery, useSession } from '../../api/session.ts'
import { type Team, teamsQuery } from '../../api/teams.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconPlus } from '../../components/icons.tsx'
import { Id } from '../../components/id.tsx'
import { Section } from '../../components/page.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

/** The organization and its teams. */
export function Teams(): ReactNode {
  const { key, organization } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const isAdmin = key.role === 'org_admin'
  const [isCreating, setCreating] = useState(false)
  const [doomed, setDoomed] = useState<Team>()
  const deleteTeam = useDeletion()
  const columns = useMemo(() => columnsOf(isAdmin ? setDoomed : undefined), [isAdmin])
  return (
    <>
      {isAdmin && <OrganizationName />}
      <Section
        title="Teams"
        description="Each team has its own people, orders, keys and webhooks, in a sandbox and in production."
        actions={
          isAdmin && (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setCreating(true)}
            >
              New team
            </Button>
          )
        }
      >
        <DataTable
          label="Teams"
          columns={columns}
          rows={teams}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No teams yet." />}
        />
        <Dialog title="New team" isOpen={isCreating} onClose={() => setCreating(false)}>
          <TeamForm onClose={() => setCreating(false)} />
        </Dialog>
        <RevokeDialog
          item={doomed}
          title={`Delete the team “${doomed?.name}”?`}
          action="Delete team"
          onRevoke={deleteTeam}
          onClose={() => setDoomed(undefined)}
        >
          Its keys stop working at once in both environments, and its people, orders and webhooks
          become inaccessible. This cannot be undone.
        </RevokeDialog>
      </Section>
    </>
  )
}

/** Deletes a team, and opens another one if it is the current one. */
function useDeletion(): (team: Team) => Promise<void> {
  const { orgId, teamId } = useEnvironment()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async ({ id }) => {
    const params = { path: { org_id: orgId, team_id: id } }
    await unwrapResponse(management.DELETE('/v1/org/{org_id}/team/{team_id}', { params }))
    await queryClient.invalidateQueries({ queryKey: teamsQuery(orgId).queryKey })
    if (id === teamId) await navigate({ to: '/' })
  }
}

const columnsOf = (onDelete: ((team: Team) => void) | undefined): readonly Column<Team>[] => [
  {
    key: 'name',
    title: 'Name',
    render: ({ id, name }) => (
      <Link to="/$team/$env/settings" params={{ team: id, env: 'sandbox' }}>
        {name}
      </Link>
    ),
  },
  { key: 'id', title: 'Id', render: ({ id, name }) => <Id value={id} of={name} isShort /> },
  { key: 'region', title: 'Region', render: ({ region }) => region.toUpperCase() },
  ...(onDelete === undefined
    ? []
    : [
        {
          key: 'delete',
          title: 'Actions',
          width: '6rem',
          render: (team: Team) => (
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`Delete ${team.name}`}
              onClick={() => onDelete(team)}
            >
              Delete
            </Button>
          ),
        },
      ]),
]

function OrganizationName(): ReactNode {
  const { organization } = useSession()
  const [name, setName] = useState(organization.name)
  const queryClient = useQueryClient()
  const renaming = useMutation({
    mutationFn: () => {
      const params = { path: { org_id: organization.id } }
      const body = { name: name.trim() }
      return unwrapResponse(management.PATCH('/v1/org/{org_id}', { params, body }))
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <Section
      title="Organization"
      description={
        <>
          Id <Id value={organization.id} of="the organization" />
        </>
      }
    >
      <form
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault()
          renaming.mutate()
        }}
      >
        <TextInput
          label="Name"
          required
          maxLength={80}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div className="settings-form-end">
          <Button
            type="submit"
            disabled={name.trim() === organization.name || name.trim() === ''}
            loading={renaming.isPending}
          >
            Save name
          </Button>
        </div>
        {renaming.error !== null && <Failure error={renaming.error} />}
      </form>
    </Section>
  )
}

function TeamForm({ onClose }: { onClose: () => void }): ReactNode {
  const { organization } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const [name, setName] = useState('')
  const [region, setRegion] = useState(teams[0]?.region ?? 'us')
  const queryClient = useQueryClient()
  const creation = useMutation({
    mutationFn: () => {
      const params = { path: { org_id: organization.id } }
      const body = { name: name.trim(), region: region as 'us' | 'eu' }
      return unwrapResponse(management.POST('/v1/org/{org_id}/team', { params, body }))
    },
    onSuccess: () => {
      queryClient.invalidateQueries({ queryKey: teamsQuery(organization.id).queryKey })
      onClose()
    },
  })
  return (
    <form
      className="settings-dialog"
      onSubmit={(event) => {
        event.preventDefault()
        creation.mutate()
      }}
    >
      <TextInput
        label="Name"
        required
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NativeSelect
        label="Region"
        description="Part of the team’s keys; it cannot be changed."
        value={region}
        onChange={({ currentTarget }) => setRegion(currentTarget.value)}
        data={[
          { value: 'us', label: 'United States' },
          { value: 'eu', label: 'Europe' },
        ]}
      />
      {creation.error !== null && <Failure error={creation.error} />}
      <div className="settings-dialog-end">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={creation.isPending} disabled={name.trim() === ''}>
          Create team
        </Button>
      </div>
    </form>
  )
}
