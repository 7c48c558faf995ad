import { callApi, callManagement } from '../connection/api-client.ts'
import type { Connection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'

export const ENVIRONMENTS = ['sandbox', 'production'] as const
export type Environment = (typeof ENVIRONMENTS)[number]
const REGIONS = ['us', 'eu'] as const
type Region = (typeof REGIONS)[number]

/** A key as the server returns it; only the response that created it has the full value. */
export interface TeamKey {
  id: string
  label: string
  value: string
  team_id: string
  user_id: string | null
  access: 'read' | 'write'
  /** Null from a server that has none, and for every permission. */
  scopes?: string[] | null
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

/** A key with its environment. */
export interface EnvironmentKey extends TeamKey {
  environment: Environment
  region: Region
}

interface Page {
  api_keys: TeamKey[]
  next_cursor: string | null
}

/**
 * Finds the organization of a management key: from the option, from keys.json, or else that of the
 * API key's team.
 */
export async function findOrganizationId(connection: Connection, given?: string): Promise<string> {
  const known = given ?? connection.organizationId
  if (known !== undefined) return known
  if (connection.apiKey === undefined) {
    throw new CliError(
      'The organization is unknown. Give --organization ID, or --api-key to look it up.',
    )
  }
  const { team_id } = await callApi<{ team_id: string }>(connection, 'GET', '/v2/user/metrics')
  const team = await callApi<{ org_id: string }>(connection, 'GET', `/v2/team/${team_id}`)
  return team.org_id
}

/** Finds the team: from the option, from keys.json, or the only one of the organization. */
export async function findTeamId(
  connection: Connection,
  organizationId: string,
  given?: string,
): Promise<string> {
  // The team of keys.json belongs to the organization there.
  const isThere = organizationId === (connection.organizationId ?? organizationId)
  const known = given ?? (isThere ? connection.teamId : undefined)
  if (known !== undefined) return known
  const path = `/v1/org/${encodeURIComponent(organizationId)}/team`
  const { teams, next_cursor: rest } = await callManagement<TeamPage>(connection, 'GET', path)
  const [only, ...others] = teams
  if (only === undefined) throw new CliError('The organization has no team.')
  if (others.length === 0) return only.id
  const names = teams.map(({ id, name }) => `\n  ${id}  ${name}`).join('')
  const more = rest === null ? '' : '\n  …'
  throw new CliError(`The organization has several teams: give --team ID.${names}${more}`)
}

interface TeamPage {
  teams: { id: string; name: string }[]
  next_cursor: string | null
}

const pathOf = (organizationId: string, environment: Environment, region: Region): string =>
  `/v1/org/${organizationId}/team_api_keys/${environment}/${region}`

/** Creates a key in the region of its team. */
export async function createTeamKey(
  connection: Connection,
  organizationId: string,
  key: {
    teamId: string
    environment: Environment
    label: string
    /** Id of the person to whom the key is limited. */
    userId?: string
    isReadOnly?: boolean
    /** Permissions, such as `orders:read`; default: all. */
    scopes?: string[]
    /** Time at which it expires, in ISO 8601. */
    expiresAt?: string
  },
): Promise<TeamKey> {
  const { teamId, environment, label, userId, isReadOnly = false, scopes, expiresAt } = key
  const teamPath = `/v1/org/${organizationId}/team/${teamId}`
  const { region } = await callManagement<{ region: Region }>(connection, 'GET', teamPath)
  return callManagement<TeamKey>(connection, 'POST', pathOf(organizationId, environment, region), {
    body: {
      label,
      team_id: teamId,
      ...(userId !== undefined && { user_id: userId }),
      ...(isReadOnly && { access: 'read' }),
      ...(scopes !== undefined && { scopes }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    },
  })
}

/** Lists all keys of the organization, of every environment and region. */
export async function listTeamKeys(
  connection: Connection,
  organizationId: string,
): Promise<EnvironmentKey[]> {
  const keys: EnvironmentKey[] = []
  for (const environment of ENVIRONMENTS) {
    for (const region of REGIONS) {
      const path = pathOf(organizationId, environment, region)
      let cursor: string | undefined
      do {
        const query = { next_cursor: cursor }
        const page = await callManagement<Page>(connection, 'GET', path, { query })
        keys.push(...page.api_keys.map((key) => ({ ...key, environment, region })))
        cursor = page.next_cursor ?? undefined
      } while (cursor !== undefined)
    }
  }
  return keys
}

/** @throws CliError when no key has that id */
export async function getTeamKey(
  connection: Connection,
  organizationId: string,
  id: string,
): Promise<EnvironmentKey> {
  const keys = await listTeamKeys(connection, organizationId)
  const key = keys.find((candidate) => candidate.id === id.toLowerCase())
  if (key !== undefined) return key
  throw new CliError(`No key has the id ${id}. "salus key list" shows all.`)
}

export async function deleteTeamKey(
  connection: Connection,
  organizationId: string,
  { id, label, environment, region }: EnvironmentKey,
): Promise<void> {
  const path = pathOf(organizationId, environment, region)
  const { success } = await callManagement<{ success: string[] }>(connection, 'DELETE', path, {
    query: { api_key_id: id },
  })
  if (!success.includes(id)) throw new CliError(`The key "${label}" (${id}) was not deleted.`)
}
