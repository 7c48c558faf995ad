import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Role, useSession } from '../../api/session.ts'
import { type Team, teamsQuery } from '../../api/teams.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'

/** Keys belong to the organization, so the list is the same in every environment. */
export const managementKeysKey = (orgId: string) => ['management keys', orgId]

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  org_admin: 'Administrator',
  team_admin: 'Team administrator',
  clinician: 'Clinician',
  developer: 'Developer',
  viewer: 'Viewer',
}

const MEANING: Readonly<Record<Role, string>> = {
  org_admin: 'Everything in the organization: teams, keys, and all data.',
  team_admin: 'Keys, settings and data of some teams; no new teams.',
  clinician: 'Reads and writes people, health data, orders and results; no keys and settings.',
  developer: 'Sets up connections, webhooks, keys and settings; sees no health data and no names.',
  viewer: 'Reads people and their data; changes nothing, and sees no keys.',
}

const ENVIRONMENT_WORDS = { both: 'Both', sandbox: 'Sandbox', production: 'Production' } as const
type EnvironmentChoice = keyof typeof ENVIRONMENT_WORDS

/** Whether a role may create keys with another one. */
function mayGive(own: Role, role: Role): boolean {
  if (own === 'org_admin') return true
  return own === 'team_admin' ? role !== 'org_admin' : role === own
}

interface NewManagementKeyProps {
  isOpen: boolean
  onClose: () => void
  onMade: (key: { label: string; key: string }) => void
}

/** Creates a key whose role is not stronger than that of its creator. */
export function NewManagementKey({ isOpen, onClose, onMade }: NewManagementKeyProps): ReactNode {
  return (
    <Dialog title="New management key" isOpen={isOpen} onClose={onClose}>
      <KeyForm onClose={onClose} onMade={onMade} />
    </Dialog>
  )
}

function KeyForm({ onClose, onMade }: Omit<NewManagementKeyProps, 'isOpen'>): ReactNode {
  const { organization, key: own, team_ids: ownTeams, environments } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const queryClient = useQueryClient()
  const [label, setLabel] = useState('')
  const [role, setRole] = useState<Role>(own.role === 'developer' ? 'developer' : 'viewer')
  const [env, setEnv] = useState<EnvironmentChoice>(environments?.[0] ?? 'both')
  const [teamIds, setTeamIds] = useState<string[] | null>(ownTeams)
  const creation = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/management_key', {
          params: { path: { org_id: organization.id } },
          body: {
            label: label.trim(),
            role,
            team_role_bindings:
              role === 'org_admin' ? null : (teamIds?.map((team_id) => ({ team_id })) ?? null),
            environments: role === 'org_admin' || env === 'both' ? null : [env],
          },
        }),
      ),
    onSuccess: (made) => {
      queryClient.invalidateQueries({ queryKey: managementKeysKey(organization.id) })
      onClose()
      onMade(made)
    },
  })
  const hasTeams = role === 'org_admin' || teamIds === null || teamIds.length > 0
  return (
    <form
      className="settings-dialog"
      onSubmit={(event) => {
        event.preventDefault()
        creation.mutate()
      }}
    >
      <TextInput
        label="Label"
        description="The person or program that uses the key."
        required
        maxLength={80}
        autoComplete="off"
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <NativeSelect
        label="Role"
        description={MEANING[role]}
        value={role}
        onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
        data={Object.entries(ROLE_WORDS)
          .filter(([value]) => mayGive(own.role, value as Role))
          .map(([value, words]) => ({ value, label: words }))}
      />
      {role !== 'org_admin' && (
        <>
          <TeamChoice
            teams={teams}
            mayAll={ownTeams === null}
            chosen={teamIds}
            onChange={setTeamIds}
          />
          <NativeSelect
            label="Environment"
            description="Where the role counts."
            value={env}
            onChange={({ currentTarget }) => setEnv(currentTarget.value as EnvironmentChoice)}
            data={Object.entries(ENVIRONMENT_WORDS)
              .filter(([value]) => environments === null || value === environments[0])
              .map(([value, words]) => ({ value, label: words }))}
          />
        </>
      )}
      {creation.error !== null && <Failure error={creation.error} />}
      <div className="settings-dialog-end">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={creation.isPending}
          disabled={label.trim() === '' || !hasTeams}
        >
          Create key
        </Button>
      </div>
    </form>
  )
}

interface TeamChoiceProps {
  teams: readonly Team[]
  mayAll: boolean
  /** Null means every team, including later ones. */
  chosen: string[] | null
  onChange: (chosen: string[] | null) => void
}

function TeamChoice({ teams, mayAll, chosen, onChange }: TeamChoiceProps): ReactNode {
  return (
    <fieldset className="settings-teams">
      <legend>Teams</legend>
      {mayAll && (
        <label className="settings-check">
          <input
            type="checkbox"
            checked={chosen === null}
            onChange={({ currentTarget }) => onChange(currentTarget.checked ? null : [])}
          />
          All, including future ones
        </label>
      )}
      {chosen !== null &&
        teams.map(({ id, name }) => (
          <label key={id} className="settings-check">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ currentTarget }) =>
                onChange(
                  currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id),
                )
              }
            />
            {name}
          </label>
        ))}
    </fieldset>
  )
}
