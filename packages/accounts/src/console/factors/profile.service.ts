import { MINUTE_MS } from '@salus/contracts/time-units'
import { badRequest, forbidden, notFound } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { formatInstant } from '@salus/kernel/time/instants'
import * as sessions from '../console-sessions.global.repository.ts'
import type { ConsoleContext } from '../console-sessions.service.ts'
import {
  findUserByKey,
  type ListedUserRow,
  updateUser,
} from '../users/organization-users.global.repository.ts'
import { toOrganizationUser } from '../users/organization-users.service.ts'
import * as repository from './factors.global.repository.ts'
import { hashPassword, isPassword, requireGoodPassword } from './passwords.ts'
import type { Passkey, PasswordChange, Profile } from './profile.schema.ts'

/** A session that someone finds open must not change what the user signs in with. */
const RECENT_MINUTES = 15

/**
 * Returns the user of a session.
 * @throws AppError 404 for a session of a key
 */
export async function getUserOfSession(
  db: Db,
  { key }: sessions.FoundSession,
): Promise<ListedUserRow> {
  const row = await findUserByKey(db, key.id)
  if (row === undefined) throw notFound('User')
  return row
}

/** @throws AppError 403 `recent_sign_in_required` for a session that began some time ago */
export function requireRecentSignIn(
  { clock }: Pick<ConsoleContext, 'clock'>,
  { session }: sessions.FoundSession,
): void {
  if (clock.now().getTime() - session.created_at.getTime() < RECENT_MINUTES * MINUTE_MS) return
  throw forbidden(
    'recent_sign_in_required',
    'Sign in again to change this: the session began more than 15 minutes ago.',
  )
}

export function toPasskey(row: repository.PasskeyRow): Passkey {
  const { id, name, created_at, last_used_at } = row
  return {
    id,
    name,
    created_at: formatInstant(created_at),
    last_used_at: last_used_at && formatInstant(last_used_at),
  }
}

export async function getProfile(
  db: Db,
  found: sessions.FoundSession,
  passkeysAvailable: boolean,
): Promise<Profile> {
  const user = await getUserOfSession(db, found)
  const [passkeys, left] = await Promise.all([
    repository.listPasskeys(db, user.id),
    repository.countRecoveryCodes(db, user.id),
  ])
  return {
    user: toOrganizationUser(user),
    passkeys: passkeys.map(toPasskey),
    recovery_codes_left: left,
    second_factor_required: user.second_factor_required,
    passkeys_available: passkeysAvailable,
  }
}

/**
 * Changes the password, and ends the other sessions of the user.
 * @throws AppError 400 `wrong_password`, 403 `recent_sign_in_required`, 422
 */
export async function changePassword(
  context: ConsoleContext,
  found: sessions.FoundSession,
  { current_password, password }: PasswordChange,
): Promise<void> {
  const { db } = context
  const user = await getUserOfSession(db, found)
  if (user.password_hash === null) requireRecentSignIn(context, found)
  else if (!(await isPassword(current_password ?? '', user.password_hash))) {
    throw badRequest('wrong_password', 'The current password is not right.')
  }
  requireGoodPassword(password, [user.email, user.name, user.organization_name])
  const hash = await hashPassword(password)
  await db.transaction().execute(async (transaction) => {
    await updateUser(transaction, user.id, { password_hash: hash })
    await sessions.deleteOtherSessions(transaction, found.key.id, found.session.id)
  })
  context.forgetCredentials()
}

/** @throws AppError 400 `last_second_factor` where the organization requires one */
function requireOtherFactor(user: ListedUserRow, others: number): void {
  if (!user.second_factor_required || others > 0) return
  throw badRequest(
    'last_second_factor',
    'The organization requires a second factor. Add another one first.',
  )
}

/** Removes the authenticator app and its recovery codes. @throws AppError 400, 403 */
export async function removeTotp(
  context: ConsoleContext,
  found: sessions.FoundSession,
): Promise<void> {
  const user = await getUserOfSession(context.db, found)
  requireRecentSignIn(context, found)
  if (user.totp_confirmed_at !== null) requireOtherFactor(user, user.passkeys)
  await context.db
    .transaction()
    .execute((transaction) => repository.deleteTotp(transaction, user.id))
}

/** Removes a passkey of the signed-in user. @throws AppError 400, 403, 404 */
export async function removePasskey(
  context: ConsoleContext,
  found: sessions.FoundSession,
  passkeyId: string,
): Promise<void> {
  const user = await getUserOfSession(context.db, found)
  requireRecentSignIn(context, found)
  const hasTotp = user.totp_confirmed_at !== null
  const known = await repository.listPasskeys(context.db, user.id)
  if (!known.some(({ id }) => id === passkeyId)) throw notFound('Passkey')
  const others = known.length - 1
  requireOtherFactor(user, others + Number(hasTotp))
  // Without a password, the last passkey is the only way in.
  if (others === 0 && user.password_hash === null) {
    throw badRequest(
      'last_passkey',
      'Set a password first: this passkey is the only way to sign in.',
    )
  }
  await repository.deletePasskey(context.db, user.id, passkeyId)
}
