import type { SealedColumn } from '@salus/kernel/crypto/reseal'
import type { Db } from '@salus/kernel/postgres/database'
import type { Selectable } from 'kysely'
import { updateUser } from '../users/organization-users.global.repository.ts'

/** Factors of users of organizations, who are found before an environment is known. */

interface ConsolePasskeysTable {
  id: string
  /** In base64url. */
  credential_id: string
  organization_user_id: string
  name: string
  public_key: Buffer
  sign_count: string
  transports: string[]
  created_at: Date
  last_used_at: Date | null
}

interface ConsoleRecoveryCodesTable {
  organization_user_id: string
  code_hash: Buffer
}

interface ConsoleChallengesTable {
  challenge_hash: Buffer
  /** Null for a sign-in. */
  organization_user_id: string | null
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    console_passkeys: ConsolePasskeysTable
    console_recovery_codes: ConsoleRecoveryCodesTable
    console_challenges: ConsoleChallengesTable
  }
}

export type PasskeyRow = Selectable<ConsolePasskeysTable>

/** Returns the context for which the secret of an authenticator app is sealed. */
export const totpContextOf = (userId: string): string => `organization_users ${userId} totp`

/** Column for a change of the sealing key. */
export const SEALED_TOTP_SECRETS: SealedColumn = {
  table: 'organization_users',
  column: 'totp_secret',
  key: ['id'],
  contextOf: ({ id = '' }) => totpContextOf(id),
}

/** Removes authenticator app, recovery codes and passkeys of a user. */
export async function deleteFactors(db: Db, userId: string): Promise<void> {
  await deleteTotp(db, userId)
  await db.deleteFrom('console_passkeys').where('organization_user_id', '=', userId).execute()
}

/** Removes the authenticator app of a user with its recovery codes. */
export async function deleteTotp(db: Db, userId: string): Promise<void> {
  const none = { totp_secret: null, totp_confirmed_at: null, totp_last_step: null }
  await updateUser(db, userId, none)
  await replaceRecoveryCodes(db, userId, [])
}

export async function replaceRecoveryCodes(
  db: Db,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.deleteFrom('console_recovery_codes').where('organization_user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await db
    .insertInto('console_recovery_codes')
    .values(hashes.map((code_hash) => ({ organization_user_id: userId, code_hash })))
    .execute()
}

/** Uses a recovery code; false when the user has no such code. */
export async function takeRecoveryCode(db: Db, userId: string, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('console_recovery_codes')
    .where('organization_user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('console_recovery_codes')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('organization_user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function listPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('console_passkeys')
    .selectAll()
    .where('organization_user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns a passkey with the organization of its user. */
export function findPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('console_passkeys as passkey')
    .innerJoin('organization_users as member', 'member.id', 'passkey.organization_user_id')
    .selectAll('passkey')
    .select('member.organization_id')
    .where('passkey.credential_id', '=', credentialId)
    .executeTakeFirst()
}

/** Inserts a passkey; false when the credential is stored already. */
export async function insertPasskey(db: Db, passkey: PasskeyRow): Promise<boolean> {
  const inserted = await db
    .insertInto('console_passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function setPasskeyUsed(
  db: Db,
  passkeyId: string,
  signCount: number,
  at: Date,
): Promise<void> {
  await db
    .updateTable('console_passkeys')
    .set({ sign_count: String(signCount), last_used_at: at })
    .where('id', '=', passkeyId)
    .execute()
}

/** Deletes a passkey of a user; false when they have no such passkey. */
export async function deletePasskey(db: Db, userId: string, passkeyId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('console_passkeys')
    .where('organization_user_id', '=', userId)
    .where('id', '=', passkeyId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Stores a challenge, and removes those that have expired. */
export async function insertChallenge(
  db: Db,
  challenge: ConsoleChallengesTable,
  now: Date,
): Promise<void> {
  await db.deleteFrom('console_challenges').where('expires_at', '<=', now).execute()
  await db.insertInto('console_challenges').values(challenge).execute()
}

/**
 * Uses a challenge of a user, or of a sign-in; false when it is unknown, was used or has expired.
 */
export async function takeChallenge(
  db: Db,
  hash: Buffer,
  userId: string | null,
  now: Date,
): Promise<boolean> {
  const taken = await db
    .deleteFrom('console_challenges')
    .where('challenge_hash', '=', hash)
    .where('organization_user_id', userId === null ? 'is' : '=', userId)
    .returning('expires_at')
    .executeTakeFirst()
  return taken !== undefined && taken.expires_at > now
}
