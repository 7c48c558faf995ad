import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { badRequest, invalidInput, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { cutPage, readPosition } from '../organization/creation-order.ts'
import {
  hasRightsOf,
  type ManagementKeyIdentity,
  type Power,
  requireRightsOf,
} from '../organization/management-access.ts'
import { ROLES, type Role } from '../organization/roles.registry.ts'
import { findTeam, lockOrganization } from '../organization/teams.repository.ts'
import type { ManagementDeps } from '../organization/teams.service.ts'
import type {
  ManagementKey,
  ManagementKeyCreate,
  ManagementKeyList,
  ManagementKeyUpdate,
  NewManagementKey,
} from './keys.schema.ts'
import type { ManagementKeyRow, TeamRoleBinding } from './management-keys.repository.ts'
import * as repository from './management-keys.repository.ts'

/**
 * Returns a new random management key, `mg_{random}` (docs/contract/01-conventions.md#credentials).
 */
export function generateManagementKey(): string {
  return `mg_${randomSecret()}`
}

interface NewKey {
  label: string
  role: Role
  bindings: TeamRoleBinding[] | null
  /** Default: both. */
  environments?: EnvironmentKind[] | null
  creator: { type: string; id?: string }
  value: string
  createdAt: Date
}

/** Stores a key; only its hash is stored. */
export function storeManagementKey(
  db: Db,
  organizationId: string,
  key: NewKey,
): Promise<ManagementKeyRow> {
  return repository.insertManagementKey(db, organizationId, {
    id: newId(),
    label: key.label,
    role: key.role,
    team_role_bindings: key.bindings,
    environments: key.environments ?? null,
    creator: key.creator,
    key_hash: hashKey(key.value),
    created_at: key.createdAt,
  })
}

function toManagementKey(row: ManagementKeyRow): ManagementKey {
  const { id, label, creator, role, team_role_bindings, environments } = row
  const created_at = formatInstant(row.created_at)
  return { id, label, created_at, creator, role, team_role_bindings, environments }
}

type PowerColumns = Pick<ManagementKeyRow, 'role' | 'team_role_bindings' | 'environments'>

function powerOf({ role, team_role_bindings: bindings, environments }: PowerColumns): Power {
  return { role, teamIds: bindings?.map((binding) => binding.team_id) ?? null, environments }
}

/** Returns environments without repeats; null for both. */
function checkEnvironments(
  role: Role,
  environments: EnvironmentKind[] | null | undefined,
): EnvironmentKind[] | null {
  const wanted = [...new Set(environments ?? [])]
  if (wanted.length !== 1) return null
  if (role !== 'org_admin') return wanted
  const message = 'An org_admin has both environments'
  throw invalidInput(['body', 'environments'], message, 'bindings_not_allowed')
}

/** Returns bindings without repeats and in lower case, each to a live team of the organization. */
async function checkBindings(
  db: Db,
  organizationId: string,
  role: Role,
  bindings: TeamRoleBinding[] | null | undefined,
): Promise<TeamRoleBinding[] | null> {
  if (!bindings) return null
  if (role === 'org_admin') {
    const message = 'An org_admin has every team, so it takes no bindings'
    throw invalidInput(['body', 'team_role_bindings'], message, 'bindings_not_allowed')
  }
  const teamIds = [...new Set(bindings.map((binding) => binding.team_id.toLowerCase()))]
  for (const teamId of teamIds) {
    if ((await findTeam(db, organizationId, teamId)) === undefined) throw notFound('Team')
  }
  return teamIds.map((team_id) => ({ team_id }))
}

/**
 * Returns the rights that a caller gives to a key or a user.
 * @param kept Bindings that stay where `wanted` has none, also to teams that are deleted meanwhile
 * @throws AppError 403 when they are more than its own, 404 for a team of another organization, 422
 */
export async function checkPower(
  db: Db,
  caller: ManagementKeyIdentity,
  wanted: {
    role: Role
    team_role_bindings?: TeamRoleBinding[] | null
    environments?: EnvironmentKind[] | null
  },
  kept: TeamRoleBinding[] | null = null,
): Promise<Power> {
  const { role } = wanted
  const { organizationId } = caller
  const bindings =
    wanted.team_role_bindings === undefined
      ? kept
      : await checkBindings(db, organizationId, role, wanted.team_role_bindings)
  const environments = checkEnvironments(role, wanted.environments)
  const power = powerOf({ role, team_role_bindings: bindings, environments })
  requireRightsOf(caller, power)
  return power
}

/** Creates a key with no more rights than the caller's. Its value is only in this answer. */
export async function createManagementKey(
  { db, clock }: ManagementDeps,
  caller: ManagementKeyIdentity,
  input: ManagementKeyCreate,
): Promise<NewManagementKey> {
  const { organizationId } = caller
  const { label, role } = input
  const { teamIds, environments } = await checkPower(db, caller, input)
  const bindings = teamIds?.map((team_id) => ({ team_id })) ?? null
  const value = generateManagementKey()
  const creator = { type: 'management_key', id: caller.id }
  const createdAt = clock.now()
  const key: NewKey = { label, role, bindings, environments, creator, value, createdAt }
  return { ...toManagementKey(await storeManagementKey(db, organizationId, key)), key: value }
}

/**
 * Returns a page of the keys that have no more rights than the caller's; `team_id` selects those
 * bound to it.
 */
export async function listManagementKeys(
  db: Db,
  caller: ManagementKeyIdentity,
  query: { team_id?: string; role?: Role; next_cursor?: string },
): Promise<ManagementKeyList> {
  const { role } = query
  // Bindings are JSON, where a UUID is text and case counts.
  const teamId = query.team_id?.toLowerCase()
  const scope = ['management_keys', caller.organizationId, teamId, role]
  const after = readPosition(scope, query.next_cursor)
  const isWithin = (one: Role) => hasRightsOf(caller, { ...caller, role: one })
  const rows = await repository.listManagementKeys(db, caller.organizationId, {
    role,
    teamId,
    withinRoles: ROLES.filter(isWithin),
    withinTeamIds: caller.teamIds ?? undefined,
    withinEnvironments: caller.environments ?? undefined,
    after,
  })
  const { page, nextCursor } = cutPage(scope, rows)
  return { data: page.map(toManagementKey), next_cursor: nextCursor }
}

async function getManagementKey(
  db: Db,
  caller: ManagementKeyIdentity,
  keyId: string,
): Promise<ManagementKeyRow> {
  const row = await repository.findManagementKey(db, caller.organizationId, keyId)
  if (row === undefined) throw notFound('Management key')
  requireRightsOf(caller, powerOf(row))
  return row
}

/**
 * Changes label, bindings or environments; tokens for those that it loses end.
 * @throws AppError 403, 404, 422
 */
export async function updateManagementKey(
  { db, forgetCredentials }: ManagementDeps,
  caller: ManagementKeyIdentity,
  keyId: string,
  changes: ManagementKeyUpdate,
): Promise<ManagementKey> {
  const { organizationId } = caller
  const updated = await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId)
    const row = await getManagementKey(transaction, caller, keyId)
    const wanted = changes.team_role_bindings
    const bindings =
      wanted === undefined
        ? row.team_role_bindings
        : await checkBindings(transaction, organizationId, row.role, wanted)
    const environments =
      changes.environments === undefined
        ? row.environments
        : checkEnvironments(row.role, changes.environments)
    const power = { role: row.role, team_role_bindings: bindings, environments }
    requireRightsOf(caller, powerOf(power))
    const { role: _, ...changed } = power
    const columns = { label: changes.label ?? row.label, ...changed }
    return toManagementKey(
      await repository.updateManagementKey(transaction, organizationId, row.id, columns),
    )
  })
  forgetCredentials()
  return updated
}

/**
 * Revokes a key and the tokens that it created. The last org_admin stays, or access would be lost.
 */
export async function deleteManagementKey(
  { db, clock, forgetCredentials }: ManagementDeps,
  caller: ManagementKeyIdentity,
  keyId: string,
): Promise<{ success: boolean }> {
  const { organizationId } = caller
  await db.transaction().execute(async (transaction) => {
    // Without the lock, two deletes could each see the other's key as the one that remains.
    await lockOrganization(transaction, organizationId)
    const row = await getManagementKey(transaction, caller, keyId)
    if (
      row.role === 'org_admin' &&
      row.creator.type !== repository.OPENID_CREATOR &&
      (await repository.countOrgAdmins(transaction, organizationId)) === 1
    ) {
      throw badRequest('last_org_admin_key', 'The last org_admin key cannot be deleted.')
    }
    await repository.deleteManagementKey(transaction, organizationId, row.id, clock.now())
  })
  forgetCredentials()
  return { success: true }
}
