import { hashKey, maskKey, randomSecret } from '@salus/kernel/crypto/keys'
import { AppError, invalidInput, notFound, unauthorized } from '@salus/kernel/errors'
import { requirePermissions } from '@salus/kernel/http/permissions'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { formatInstant, parseInstant } from '@salus/kernel/time/instants'
import { cutPage, readPosition } from '../organization/creation-order.ts'
import { type EnvironmentPath, scopeOf } from '../organization/environment-path.ts'
import type { ManagementKeyIdentity } from '../organization/management-access.ts'
import {
  listPermissions,
  PERMISSIONS_OF_ROLES,
  toPermissionSet,
} from '../organization/roles.registry.ts'
import type { Region } from '../organization/teams.schema.ts'
import {
  getTeamEnvironment,
  getTeamRow,
  type ManagementDeps,
} from '../organization/teams.service.ts'
import * as tokens from './access-tokens.repository.ts'
import type {
  AccessToken,
  AccessTokenRequest,
  DeletionReport,
  TeamApiKey,
  TeamApiKeyCreate,
  TeamApiKeyList,
} from './keys.schema.ts'
import { requireRegion } from './managed-environments.ts'
import { lockManagementKey } from './management-keys.repository.ts'
import * as repository from './team-keys.repository.ts'

const ACCESS_TOKEN_SECONDS = 600
const ACCESS_TOKENS_A_MINUTE = 60

/**
 * Returns a new random team key, `{sk|pk}_{us|eu}_{random}`
 * (docs/contract/01-conventions.md#credentials).
 */
export function generateTeamKey(environment: EnvironmentKind, region: Region): string {
  return `${environment === 'sandbox' ? 'sk' : 'pk'}_${region}_${randomSecret()}`
}

/** Stores a key; only its hash and its mask are stored. */
export function storeTeamKey(
  db: Db,
  environmentId: string,
  key: { label: string; value: string; createdAt: Date; expiresAt?: Date | null },
  limits: repository.LimitColumns = { user_id: null, access: 'write', scopes: null },
): Promise<repository.TeamKeyRow> {
  return repository.insertTeamKey(db, environmentId, {
    ...limits,
    id: newId(),
    label: key.label,
    key_hash: hashKey(key.value),
    masked_value: maskKey(key.value),
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
  })
}

/**
 * Creates a key with no more permissions than the caller's. Its value is only in this answer.
 * @throws AppError 403 `insufficient_scope`, 404, 422
 */
export async function createTeamKey(
  { db, clock }: ManagementDeps,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  input: TeamApiKeyCreate,
): Promise<TeamApiKey> {
  const { team, environmentId } = await getTeamEnvironment(db, caller, input.team_id, path.env)
  requireRegion(team, path)
  const limits = await readLimits(db, environmentId, input)
  requireScopesOf(caller, limits)
  const value = generateTeamKey(path.env, path.region)
  const { label } = input
  const createdAt = clock.now()
  const key = { label, value, createdAt, expiresAt: readExpiry(input.expires_at, createdAt) }
  const row = await storeTeamKey(db, environmentId, key, limits)
  return { ...toTeamKey({ ...row, team_id: team.id }), value }
}

/** @throws AppError 403 `insufficient_scope` for scopes beyond the role of the caller */
function requireScopesOf(
  { role }: ManagementKeyIdentity,
  { scopes, access }: repository.LimitColumns,
): void {
  const given = PERMISSIONS_OF_ROLES[role]
  const wanted = listPermissions(toPermissionSet(scopes))
  requirePermissions(
    given,
    access === 'read' ? wanted.filter((permission) => permission.endsWith(':read')) : wanted,
  )
}

const instantOf = (at: Date | null): string | null => at && formatInstant(at)

/** Returns a key as lists show it. */
const toTeamKey = (row: repository.ListedTeamKey): TeamApiKey => ({
  id: row.id,
  label: row.label,
  value: row.masked_value,
  team_id: row.team_id,
  user_id: row.user_id,
  access: row.access,
  scopes: row.scopes,
  created_at: formatInstant(row.created_at),
  expires_at: instantOf(row.expires_at),
  last_used_at: instantOf(row.last_used_at),
})

function readExpiry(text: string | null | undefined, now: Date): Date | null {
  if (text == null) return null
  const at = parseInstant(text)?.epochMilliseconds ?? Number.NaN
  if (at > now.getTime()) return new Date(at)
  throw invalidInput(['body', 'expires_at'], 'The time is in the past', 'date_future')
}

/** Returns a page of keys with masked values, the oldest first. @throws AppError 404, 422 */
export async function listTeamKeys(
  db: Db,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  query: { team_id?: string; next_cursor?: string },
): Promise<TeamApiKeyList> {
  const { team_id: teamId } = query
  if (teamId !== undefined) requireRegion(await getTeamRow(db, caller, teamId), path)
  const cursorScope = ['team_api_keys', caller.organizationId, path.env, path.region, teamId]
  const after = readPosition(cursorScope, query.next_cursor)
  const rows = await repository.listTeamKeys(db, caller.organizationId, scopeOf(caller, path), {
    teamId,
    after,
  })
  const { page, nextCursor } = cutPage(cursorScope, rows)
  return { api_keys: page.map(toTeamKey), next_cursor: nextCursor }
}

/** Revokes keys. One statement does it, so none is ever reported as a failure. */
export async function deleteTeamKeys(
  { db, clock, forgetCredentials }: ManagementDeps,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  keyIds: string[],
): Promise<DeletionReport> {
  const wanted = [...new Set(keyIds.map((id) => id.toLowerCase()))]
  const deleted = await repository.deleteTeamKeys(
    db,
    caller.organizationId,
    scopeOf(caller, path),
    wanted,
    clock.now(),
  )
  forgetCredentials()
  const success = wanted.filter((id) => deleted.includes(id))
  return { success, failure: [], not_found: wanted.filter((id) => !deleted.includes(id)) }
}

/**
 * Creates a bearer token for one environment of a team, at most 60 per minute for a management key.
 * A token that a session of the console creates ends with the session.
 * @throws AppError 403 `insufficient_scope`; 404, also for the user; 429 `rate_limited`
 */
export async function createAccessToken(
  { db, clock }: ManagementDeps,
  caller: ManagementKeyIdentity,
  teamId: string,
  request: AccessTokenRequest,
): Promise<AccessToken> {
  const { environmentId } = await getTeamEnvironment(db, caller, teamId, request.env)
  const limits = await readLimits(db, environmentId, request)
  // Without scopes it has those of the role, at each time of its use.
  if (limits.scopes !== null) requireScopesOf(caller, limits)
  const value = `at_${randomSecret()}`
  const now = clock.now()
  const { session } = caller
  const left = session && Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000)
  const seconds = Math.min(ACCESS_TOKEN_SECONDS, left ?? ACCESS_TOKEN_SECONDS)
  await db.transaction().execute(async (transaction) => {
    await lockManagementKey(transaction, caller.organizationId, caller.id)
    if (session && !(await tokens.lockSession(transaction, session.id))) {
      throw unauthorized('invalid_session', 'The session is unknown or has ended. Sign in again.')
    }
    await tokens.deleteExpiredAccessTokens(transaction, caller.id, now)
    const minuteAgo = new Date(now.getTime() - 60_000)
    const recent = await tokens.countAccessTokensSince(transaction, caller.id, minuteAgo)
    if (recent >= ACCESS_TOKENS_A_MINUTE) {
      throw new AppError(429, 'rate_limited', 'There were too many access tokens in one minute.')
    }
    await tokens.insertAccessToken(transaction, environmentId, {
      ...limits,
      token_hash: hashKey(value),
      management_key_id: caller.id,
      created_at: now,
      expires_at: new Date(now.getTime() + seconds * 1000),
      console_session_id: session?.id ?? null,
    })
  })
  return { access_token: value, expires_in: seconds }
}

/**
 * Reads the limits of a new credential.
 * @throws AppError 404 for a user that the environment does not have
 */
async function readLimits(
  db: Db,
  environmentId: string,
  { user_id: wanted, access, scopes }: Pick<AccessTokenRequest, 'user_id' | 'access' | 'scopes'>,
): Promise<repository.LimitColumns> {
  const userId = wanted?.toLowerCase() ?? null
  if (userId !== null && !(await repository.hasUser(db, environmentId, userId))) {
    throw notFound('User')
  }
  return { user_id: userId, access, scopes: scopes ? [...new Set(scopes)].sort() : null }
}
