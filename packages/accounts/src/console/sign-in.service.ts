import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { badRequest, invalidInput } from '@salus/kernel/errors'
import type { ConsoleSignIn } from './console.schema.ts'
import {
  type ConsoleContext,
  findKeyOfSignIn,
  type ProvenSignIn,
} from './console-sessions.service.ts'
import { findUserByPasskey, relyingPartyOf } from './factors/passkeys.service.ts'
import { type Asker, findUserByPassword } from './factors/password-sign-in.service.ts'
import {
  findUser,
  getKeyOfUser,
  type ListedUserRow,
} from './users/organization-users.global.repository.ts'

export interface SignInContext extends ConsoleContext {
  /** Seals secrets of authenticator apps, and signs the cookie of known browsers. */
  secrets: SecretBox
}

/**
 * Returns whom a sign-in proves.
 * @param serverUrl Public address of the console, to which passkeys belong
 * @throws AppError 400, 401, 422 unless exactly one way is given, 429
 */
export async function findProof(
  context: SignInContext,
  given: ConsoleSignIn,
  asker: Asker,
  serverUrl: string,
): Promise<ProvenSignIn> {
  const { management_key, code, email, password, passkey } = given
  const ways = [management_key, code, password, passkey].filter((way) => way !== undefined)
  if (ways.length !== 1) {
    const message = 'Give one of management_key, code, password and passkey'
    throw invalidInput(['body'], message, 'exactly_one')
  }
  if (passkey !== undefined) return proveByPasskey(context, passkey, serverUrl)
  if (password === undefined) return findKeyOfSignIn(context, { management_key, code })
  if (email === undefined) throw invalidInput(['body', 'email'], 'Field required', 'missing')
  const { user, hasSecondFactor } = await findUserByPassword(
    context,
    { ...given, email, password },
    asker,
  )
  return toProof(context, user, 'password', hasSecondFactor)
}

/** A passkey proves what a user has, and by the authenticator what they know or are. */
async function proveByPasskey(
  context: SignInContext,
  passkey: NonNullable<ConsoleSignIn['passkey']>,
  serverUrl: string,
): Promise<ProvenSignIn> {
  const party = relyingPartyOf(serverUrl)
  const { organizationId, userId } = await findUserByPasskey(context, party, passkey)
  const user = await findUser(context.db, organizationId, userId)
  if (user?.status === 'active') return toProof(context, user, 'passkey', true)
  throw badRequest('invalid_passkey', 'The answer of the authenticator is not valid. Try again.')
}

async function toProof(
  { db }: SignInContext,
  { id, management_key_id }: ListedUserRow,
  way: 'password' | 'passkey',
  hasSecondFactor: boolean,
): Promise<ProvenSignIn> {
  return { key: await getKeyOfUser(db, management_key_id), way, user: { id, hasSecondFactor } }
}
