import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { type Team, teamsQuery } from '../../api/teams.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'

/** Keys belong to the organization, so the list is the same in every environment. */
export const managementKeysKey = (orgId: string) => ['management keys', orgId]

export const ROLE_WORDS = { org_admin: 'Administrator', team_admin: 'Team administrator' } as const

type Role = keyof typeof ROLE_WORDS

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
  const { organization, key: own, team_ids: ownTeams } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const queryClient = useQueryClient()
  const [label, setLabel] = useState('')
  const [role, setRole] = useState<Role>('team_admin')
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
        description={
          role === 'org_admin'
            ? 'Everything in the organization: teams, keys, and all data.'
            : 'Keys, settings and data of some teams; no new teams.'
        }
        value={role}
        onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
        data={Object.entries(ROLE_WORDS)
          .filter(([value]) => own.role === 'org_admin' || value === 'team_admin')
          .map(([value, words]) => ({ value, label: words }))}
      />
      {role === 'team_admin' && (
        <TeamChoice
          teams={teams}
          mayAll={ownTeams === null}
          chosen={teamIds}
          onChange={setTeamIds}
        />
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
