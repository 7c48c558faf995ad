import { readFileSync } from 'node:fs'
import { StartupError } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import { ENVIRONMENTS, type EnvironmentKind } from '@salus/kernel/scope'
import { setting, url } from '@salus/kernel/settings'
import { ROLES, type Role } from '../../teams/index.ts'

/**
 * Gives users with this value of a claim a role; in a claim that is a list, one entry is enough.
 */
export interface RoleRule {
  claim: string
  value: string
  role: Role
  /** Ids of the teams of the role; null means every team. */
  teamIds: string[] | null
  /** Null means both. */
  environments: EnvironmentKind[] | null
}

const text = (given: string | undefined): string | undefined => given?.trim() || undefined

/** Settings for signing in to the console as a user of an identity provider (docs/console.md). */
export const OPENID_SETTINGS = {
  openIdIssuer: setting(
    'SALUS_OIDC_ISSUER',
    'URL of an OpenID Connect provider, such as https://login.example.com, with which people sign in to the console.',
    '',
    issuer,
  ),
  openIdClientId: setting('SALUS_OIDC_CLIENT_ID', 'Client id of Salus at the provider.', '', text),
  openIdClientSecret: setting(
    'SALUS_OIDC_CLIENT_SECRET',
    'Client secret of Salus at the provider; none for a public client.',
    '',
    text,
  ),
  openIdScopes: setting(
    'SALUS_OIDC_SCOPES',
    'Scopes that Salus requests from the provider; add to them if the provider returns groups only with a scope of its own.',
    'openid profile email',
    (given) => text(given) ?? 'openid profile email',
  ),
  openIdRoles: setting(
    'SALUS_OIDC_ROLES',
    'Rules that decide who may sign in with which role: JSON such as [{"claim": "groups", "value": "salus", "role": "org_admin"}], or the path of a file with such JSON. The first rule that matches applies.',
    '',
    roleRules,
  ),
  openIdName: setting(
    'SALUS_OIDC_NAME',
    'Display name of the provider, which the button shows.',
    'your organization',
    (given) => text(given) ?? 'your organization',
  ),
}

export type OpenIdConfig = {
  [Key in keyof typeof OPENID_SETTINGS]: ReturnType<(typeof OPENID_SETTINGS)[Key]['read']>
}

/** Reads the issuer. Tokens over plain HTTP could be read on the way, except on this machine. */
function issuer(given: string | undefined): URL | undefined {
  const found = url('SALUS_OIDC_ISSUER', ['http:', 'https:'])(given)
  if (found === undefined) return undefined
  const parsed = new URL(found)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)
  if (parsed.protocol === 'https:' || isLocal) return parsed
  throw new StartupError('SALUS_OIDC_ISSUER must start with https://.')
}

function roleRules(given: string | undefined): RoleRule[] {
  const setting = text(given)
  if (setting === undefined) return []
  const json = setting.startsWith('[') ? setting : readFile(setting)
  const rules = parseJson(json)
  if (!Array.isArray(rules) || rules.length === 0) throw wrong('must be a JSON list of rules')
  return rules.map(toRule)
}

function toRule(given: unknown): RoleRule {
  const { claim, value, role, team_ids: teamIds = null, environments, ...rest } = Object(given)
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw wrong('has a rule with a field that is not known')
  if (typeof claim !== 'string' || typeof value !== 'string' || claim === '' || value === '') {
    throw wrong('must give each rule a claim and a value')
  }
  const known = ROLES.find((name) => name === role)
  if (known === undefined) throw wrong(`must give each rule one of the roles ${ROLES.join(', ')}`)
  const isList =
    Array.isArray(teamIds) && teamIds.every((id) => typeof id === 'string' && isUuid(id))
  if (teamIds !== null && !isList) throw wrong('has team_ids that are not a list of ids')
  if (teamIds !== null && known === 'org_admin') {
    throw wrong('gives team_ids to an org_admin, who has every team')
  }
  if (environments != null && known === 'org_admin') {
    throw wrong('limits an org_admin to environments')
  }
  return {
    claim,
    value,
    role: known,
    teamIds: teamIds?.map((id: string) => id.toLowerCase()) ?? null,
    environments: toEnvironments(environments),
  }
}

/** Reads a list of environments; null for both. */
function toEnvironments(given: unknown = null): EnvironmentKind[] | null {
  if (given === null) return null
  const wanted = Array.isArray(given) ? given : []
  const known = ENVIRONMENTS.filter((name) => wanted.includes(name))
  if (known.length === 0 || known.length < wanted.length) {
    throw wrong(`has environments that are not a list of ${ENVIRONMENTS.join(', ')}`)
  }
  return known.length === ENVIRONMENTS.length ? null : known
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw wrong('is neither a JSON list nor the path of a file that can be read')
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw wrong('is not valid JSON')
  }
}

const wrong = (problem: string): StartupError => new StartupError(`SALUS_OIDC_ROLES ${problem}.`)
