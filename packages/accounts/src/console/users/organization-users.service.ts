import { badRequest, conflict, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  changeKeyOfPerson,
  checkPower,
  countOrgAdmins,
  cutPage,
  hasRightsOf,
  lockOrganization,
  type ManagementKeyIdentity,
  makeKeyOfPerson,
  ROLES,
  type Role,
  readPosition,
  requireRightsOf,
  revokeKeyOfPerson,
  USER_CREATOR,
} from '../../teams/index.ts'
import { deleteOtherSessions } from '../console-sessions.global.repository.ts'
import type { ConsoleContext } from '../console-sessions.service.ts'
import { deleteFactors } from '../factors/factors.global.repository.ts'
import { deleteInvitation } from './invitations.global.repository.ts'
import * as repository from './organization-users.global.repository.ts'
import type {
  OrganizationUser,
  OrganizationUserInvite,
  OrganizationUserList,
  OrganizationUserListQuery,
  OrganizationUserUpdate,
  UserStatus,
} from './organization-users.schema.ts'

export function toOrganizationUser(row: repository.ListedUserRow): OrganizationUser {
  const { id, email, name, status, role, team_role_bindings, environments, passkeys } = row
  const { management_key_id, last_sign_in_at, invitation_expires_at } = row
  return {
    id,
    email,
    name,
    status,
    role,
    team_role_bindings,
    environments,
    has_password: row.password_hash !== null,
    has_totp: row.totp_confirmed_at !== null,
    passkeys,
    management_key_id,
    created_at: formatInstant(row.created_at),
    last_sign_in_at: last_sign_in_at && formatInstant(last_sign_in_at),
    invitation_expires_at: invitation_expires_at && formatInstant(invitation_expires_at),
  }
}

const powerOf = ({ role, team_role_bindings, environments }: repository.ListedUserRow) => ({
  role,
  teamIds: team_role_bindings?.map(({ team_id }) => team_id) ?? null,
  environments,
})

/** Returns a page of the users that have no more rights than the caller, the oldest first. */
export async function listOrganizationUsers(
  db: Db,
  caller: ManagementKeyIdentity,
  query: OrganizationUserListQuery,
): Promise<OrganizationUserList> {
  const email = query.email?.toLowerCase()
  const scope = ['organization_users', caller.organizationId, email]
  const isWithin = (role: Role) => hasRightsOf(caller, { ...caller, role })
  const rows = await repository.listUsers(db, caller.organizationId, {
    email,
    withinRoles: ROLES.filter(isWithin),
    withinTeamIds: caller.teamIds ?? undefined,
    withinEnvironments: caller.environments ?? undefined,
    after: readPosition(scope, query.next_cursor),
  })
  const { page, nextCursor } = cutPage(scope, rows)
  return { data: page.map(toOrganizationUser), next_cursor: nextCursor }
}

/** Returns a user that the caller may change. @throws AppError 403 `role_too_low`, 404 */
export async function getUserFor(
  db: Db,
  caller: ManagementKeyIdentity,
  userId: string,
): Promise<repository.ListedUserRow> {
  const row = await repository.findUser(db, caller.organizationId, userId)
  if (row === undefined) throw notFound('User')
  requireRightsOf(caller, powerOf(row))
  return row
}

export async function getOrganizationUser(
  db: Db,
  caller: ManagementKeyIdentity,
  userId: string,
): Promise<OrganizationUser> {
  return toOrganizationUser(await getUserFor(db, caller, userId))
}

/**
 * Creates a user who has not accepted an invitation yet, with no more rights than the caller's.
 * @throws AppError 403, 404, 409 `user_exists`, 422
 */
export async function addUser(
  db: Db,
  caller: ManagementKeyIdentity,
  input: OrganizationUserInvite,
  createdAt: Date,
): Promise<string> {
  const { organizationId } = caller
  const power = await checkPower(db, caller, input)
  const id = newId()
  const person = { ...power, label: input.name }
  const creator = { type: USER_CREATOR, id }
  const key = await makeKeyOfPerson(db, organizationId, person, createdAt, creator)
  const inserted = await repository.insertUser(db, {
    id,
    organization_id: organizationId,
    management_key_id: key.id,
    email: input.email.toLowerCase(),
    status: 'invited',
    created_at: createdAt,
  })
  if (inserted !== undefined) return id
  throw conflict('user_exists', 'The organization has a user with this e-mail address.')
}

/** No one takes rights or access from themselves by mistake. */
export function refuseOneself(caller: ManagementKeyIdentity, row: repository.ListedUserRow): void {
  if (row.management_key_id !== caller.id) return
  throw badRequest('own_user', 'Another user has to change your role or access.')
}

/** The last org_admin stays, or access would be lost. The caller has locked the organization. */
async function requireOtherOrgAdmin(db: Db, row: repository.ListedUserRow): Promise<void> {
  if (row.role !== 'org_admin' || row.status !== 'active') return
  if ((await countOrgAdmins(db, row.organization_id)) > 1) return
  throw badRequest('last_org_admin', 'The organization has no other org_admin.')
}

/** Returns the status after a change; who never accepted an invitation is invited again. */
function statusAfter(row: repository.ListedUserRow, wanted: UserStatus | undefined): UserStatus {
  if (wanted === undefined || wanted === 'suspended') return wanted ?? row.status
  const hasAccepted = row.password_hash !== null || row.passkeys > 0
  return hasAccepted ? 'active' : 'invited'
}

/**
 * Changes name, rights or status. The sessions of a suspended user end at once.
 * @throws AppError 400, 403, 404, 422
 */
export async function updateOrganizationUser(
  { db, forgetCredentials }: ConsoleContext,
  caller: ManagementKeyIdentity,
  userId: string,
  changes: OrganizationUserUpdate,
): Promise<OrganizationUser> {
  const { name, status: wanted, ...rights } = changes
  const updated = await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, caller.organizationId)
    const row = await getUserFor(transaction, caller, userId)
    const status = statusAfter(row, wanted)
    const isAboutRights = Object.values(rights).some((value) => value !== undefined)
    if (isAboutRights || status !== row.status) refuseOneself(caller, row)
    const isOfAll = rights.role === 'org_admin'
    const { role, environments } = row
    const power = isAboutRights
      ? await checkPower(
          transaction,
          caller,
          { role, ...(isOfAll ? {} : { environments }), ...rights },
          isOfAll ? null : row.team_role_bindings,
        )
      : powerOf(row)
    if (power.role !== 'org_admin' || status !== 'active') {
      await requireOtherOrgAdmin(transaction, row)
    }
    const key = { organization_id: row.organization_id, id: row.management_key_id }
    await changeKeyOfPerson(transaction, key, { ...power, label: name ?? row.name })
    await repository.updateUser(transaction, row.id, { status })
    if (status === 'suspended') {
      await deleteOtherSessions(transaction, row.management_key_id, undefined)
      await deleteInvitation(transaction, row.id)
    }
    return getUserFor(transaction, caller, userId)
  })
  forgetCredentials()
  return toOrganizationUser(updated)
}

/** Removes a user. Their sessions end at once; the audit log keeps their name. */
export async function removeOrganizationUser(
  { db, clock, forgetCredentials }: ConsoleContext,
  caller: ManagementKeyIdentity,
  userId: string,
): Promise<{ success: boolean }> {
  await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, caller.organizationId)
    const row = await getUserFor(transaction, caller, userId)
    refuseOneself(caller, row)
    await requireOtherOrgAdmin(transaction, row)
    await deleteOtherSessions(transaction, row.management_key_id, undefined)
    await repository.deleteUser(transaction, row.id)
    const key = { organization_id: row.organization_id, id: row.management_key_id }
    await revokeKeyOfPerson(transaction, key, clock.now())
  })
  forgetCredentials()
  return { success: true }
}

/**
 * Removes authenticator app, recovery codes and passkeys of a user who lost them, and ends the
 * sessions. The password stays.
 */
export async function resetSecondFactor(
  { db, forgetCredentials }: ConsoleContext,
  caller: ManagementKeyIdentity,
  userId: string,
): Promise<OrganizationUser> {
  const updated = await db.transaction().execute(async (transaction) => {
    const row = await getUserFor(transaction, caller, userId)
    refuseOneself(caller, row)
    await deleteFactors(transaction, row.id)
    await deleteOtherSessions(transaction, row.management_key_id, undefined)
    return getUserFor(transaction, caller, userId)
  })
  forgetCredentials()
  return toOrganizationUser(updated)
}
