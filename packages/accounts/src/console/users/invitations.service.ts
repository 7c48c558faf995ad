import { DAY_MS } from '@salus/contracts/time-units'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { badRequest, notFound } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { formatInstant } from '@salus/kernel/time/instants'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { ManagementKeyIdentity } from '../../teams/index.ts'
import { deleteOtherSessions } from '../console-sessions.global.repository.ts'
import type { ConsoleContext } from '../console-sessions.service.ts'
import {
  beginRegistration,
  finishRegistration,
  type RelyingParty,
} from '../factors/passkeys.service.ts'
import { hashPassword, requireGoodPassword } from '../factors/passwords.ts'
import * as repository from './invitations.global.repository.ts'
import { findUser, type ListedUserRow, updateUser } from './organization-users.global.repository.ts'
import type {
  Invitation,
  InvitationDetails,
  OrganizationUserInvite,
} from './organization-users.schema.ts'
import {
  addUser,
  getUserFor,
  refuseOneself,
  toOrganizationUser,
} from './organization-users.service.ts'

/** Invitations are sent by people, to people who may be away for some days. */
const INVITATION_DAYS = 7

/** Creates a user and an invitation, whose link is only in this answer. */
export async function inviteUser(
  context: ConsoleContext,
  caller: ManagementKeyIdentity,
  input: OrganizationUserInvite,
  serverUrl: string,
): Promise<Invitation> {
  return context.db.transaction().execute(async (transaction) => {
    const id = await addUser(transaction, caller, input, context.clock.now())
    return makeInvitation({ ...context, db: transaction }, caller.organizationId, id, serverUrl)
  })
}

/**
 * Creates a new link for a user, in place of an earlier one: an invitation, or for an active user a
 * link that sets a new password.
 * @throws AppError 400 `own_user`, `user_suspended`, 403, 404
 */
export async function repeatInvitation(
  context: ConsoleContext,
  caller: ManagementKeyIdentity,
  userId: string,
  serverUrl: string,
): Promise<Invitation> {
  return context.db.transaction().execute(async (transaction) => {
    const row = await getUserFor(transaction, caller, userId)
    refuseOneself(caller, row)
    if (row.status === 'suspended') {
      throw badRequest('user_suspended', 'The user is suspended. Make the user active first.')
    }
    return makeInvitation({ ...context, db: transaction }, caller.organizationId, row.id, serverUrl)
  })
}

/** Stores an invitation and returns its link. */
export async function makeInvitation(
  { db, clock }: { db: Db; clock: Clock },
  organizationId: string,
  userId: string,
  serverUrl: string,
): Promise<Invitation> {
  const code = `iv_${randomSecret()}`
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + INVITATION_DAYS * DAY_MS)
  await repository.putInvitation(db, {
    code_hash: hashKey(code),
    organization_user_id: userId,
    created_at: createdAt,
    expires_at: expiresAt,
  })
  const user = toOrganizationUser((await findUser(db, organizationId, userId)) as ListedUserRow)
  // The part after # is not sent to a server, so no log and no proxy on the way stores it.
  const url = `${serverUrl.replace(/\/+$/, '')}/console/invitation#code=${code}`
  return { user, url, expires_at: formatInstant(expiresAt) }
}

/** Ends the open invitation of a user. @throws AppError 403, 404 without one */
export async function revokeInvitation(
  { db }: Pick<ConsoleContext, 'db'>,
  caller: ManagementKeyIdentity,
  userId: string,
): Promise<{ success: boolean }> {
  const row = await getUserFor(db, caller, userId)
  if (!(await repository.deleteInvitation(db, row.id))) throw notFound('Invitation')
  return { success: true }
}

/** Returns whom a code invites. @throws AppError 400 `invalid_invitation` */
export async function getInvited(
  { db, clock }: { db: Db; clock: Clock },
  code: string,
): Promise<repository.InvitedRow> {
  const found = await repository.findInvited(db, hashKey(code), clock.now())
  if (found !== undefined) return found
  throw badRequest('invalid_invitation', 'The invitation is unknown, used, revoked or expired.')
}

export async function describeInvitation(
  context: { db: Db; clock: Clock },
  code: string,
): Promise<InvitationDetails> {
  const invited = await getInvited(context, code)
  const { email, name, organization_id, organization_name, expires_at, status } = invited
  return {
    email,
    name,
    organization: { id: organization_id, name: organization_name },
    expires_at: formatInstant(expires_at),
    is_new: status === 'invited',
  }
}

/** Uses a code, once, and makes the user active. @throws AppError 400 `invalid_invitation` */
export async function useInvitation(
  transaction: Db,
  clock: Clock,
  code: string,
): Promise<repository.InvitedRow> {
  const invited = await getInvited({ db: transaction, clock }, code)
  if (!(await repository.takeInvitation(transaction, hashKey(code)))) {
    throw badRequest('invalid_invitation', 'The invitation is unknown, used, revoked or expired.')
  }
  await updateUser(transaction, invited.id, { status: 'active' })
  return invited
}

/**
 * Accepts an invitation with a password. A second factor that the user has stays, so the page signs
 * in afterwards like everyone. Sessions from before end, as the password may have been stolen.
 * @throws AppError 400 `invalid_invitation`, 422
 */
export async function acceptInvitation(
  { db, clock, forgetCredentials }: ConsoleContext,
  { code, password }: { code: string; password: string },
): Promise<{ success: boolean }> {
  const { email, name, organization_name } = await getInvited({ db, clock }, code)
  requireGoodPassword(password, [email, name, organization_name])
  const hash = await hashPassword(password)
  await db.transaction().execute(async (transaction) => {
    const invited = await useInvitation(transaction, clock, code)
    await updateUser(transaction, invited.id, { password_hash: hash })
    await deleteOtherSessions(transaction, invited.management_key_id, undefined)
  })
  forgetCredentials()
  return { success: true }
}

/** Returns what the browser needs to create the first passkey. @throws AppError 400 */
export async function beginPasskeyOfInvitation(
  stores: { db: Db; clock: Clock },
  code: string,
  party: RelyingParty,
) {
  return beginRegistration(stores, await getInvited(stores, code), party)
}

/**
 * Accepts an invitation with a passkey instead of a password.
 * @throws AppError 400 `invalid_invitation`, `invalid_passkey`, 409
 */
export async function acceptWithPasskey(
  { db, clock }: { db: Db; clock: Clock },
  { code, ...passkey }: { code: string; name: string; response: RegistrationResponseJSON },
  party: RelyingParty,
): Promise<{ success: boolean }> {
  await db.transaction().execute(async (transaction) => {
    const invited = await useInvitation(transaction, clock, code)
    await finishRegistration({ db: transaction, clock }, invited, party, passkey)
  })
  return { success: true }
}
