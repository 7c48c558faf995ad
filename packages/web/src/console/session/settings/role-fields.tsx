import { NativeSelect } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { EnvironmentKind } from '../../api/client.ts'
import { type ConsoleSession, type Role, useSession } from '../../api/session.ts'
import { type Team, teamsQuery } from '../../api/teams.ts'

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

/** Rights of a key or a user, as a form holds them. */
export interface Rights {
  role: Role
  /** Null means every team, including later ones. */
  teamIds: string[] | null
  environment: EnvironmentChoice
}

/** Returns the rights with which a form begins: few, within those of the session. */
export function startingRights({ key, team_ids, environments }: ConsoleSession): Rights {
  const role = key.role === 'developer' ? 'developer' : 'viewer'
  return { role, teamIds: team_ids, environment: environments?.[0] ?? 'both' }
}

interface StoredRights {
  role: Role
  team_role_bindings: { team_id: string }[] | null
  environments: EnvironmentKind[] | null
}

/** Returns rights as a form holds them, without teams that are deleted. */
export function toRights(stored: StoredRights, teams: readonly Team[]): Rights {
  const bindings = stored.team_role_bindings?.map(({ team_id }) => team_id)
  return {
    role: stored.role,
    teamIds: bindings?.filter((id) => teams.some((team) => team.id === id)) ?? null,
    environment: stored.environments?.[0] ?? 'both',
  }
}

/** Returns rights as the API takes them; an administrator has every team and both environments. */
export function toRequest({ role, teamIds, environment }: Rights) {
  const isOfAll = role === 'org_admin'
  return {
    role,
    team_role_bindings: isOfAll ? null : (teamIds?.map((team_id) => ({ team_id })) ?? null),
    environments: isOfAll || environment === 'both' ? null : [environment],
  }
}

/** Whether a team is chosen. */
export const isComplete = ({ role, teamIds }: Rights): boolean =>
  role === 'org_admin' || teamIds === null || teamIds.length > 0

interface RoleFieldsProps {
  rights: Rights
  onChange: (rights: Rights) => void
}

/** Fields for role, teams and environment, with what the session may give. */
export function RoleFields({ rights, onChange }: RoleFieldsProps): ReactNode {
  const { organization, key: own, team_ids: ownTeams, environments } = useSession()
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  return (
    <>
      <NativeSelect
        label="Role"
        description={MEANING[rights.role]}
        value={rights.role}
        onChange={({ currentTarget }) => onChange({ ...rights, role: currentTarget.value as Role })}
        data={Object.entries(ROLE_WORDS)
          .filter(([value]) => mayGive(own.role, value as Role))
          .map(([value, words]) => ({ value, label: words }))}
      />
      {rights.role !== 'org_admin' && (
        <>
          <TeamChoice
            teams={teams}
            mayAll={ownTeams === null}
            chosen={rights.teamIds}
            onChange={(teamIds) => onChange({ ...rights, teamIds })}
          />
          <NativeSelect
            label="Environment"
            description="Where the role counts."
            value={rights.environment}
            onChange={({ currentTarget }) =>
              onChange({ ...rights, environment: currentTarget.value as EnvironmentChoice })
            }
            data={Object.entries(ENVIRONMENT_WORDS)
              .filter(([value]) => environments === null || value === environments[0])
              .map(([value, words]) => ({ value, label: words }))}
          />
        </>
      )}
    </>
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
