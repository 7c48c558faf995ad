import type { Db } from '@salus/kernel/postgres/database'
import type { PortalSessionRow } from './portal-sessions.repository.ts'
import type { PortalShareRow } from './portal-shares.repository.ts'

/** Finds what a secret opens, which also determines the environment. */

export function findLinkByCode(db: Db, codeHash: Buffer): Promise<PortalSessionRow | undefined> {
  return db
    .selectFrom('portal_sessions')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
}

export function findShareBySecret(db: Db, secretHash: Buffer): Promise<PortalShareRow | undefined> {
  return db
    .selectFrom('portal_shares')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
}

/** Returns the session of a token with its share, whether or not they have ended. */
export async function findSessionByToken(
  db: Db,
  tokenHash: Buffer,
): Promise<{ session: PortalSessionRow; share: PortalShareRow | null } | undefined> {
  const session = await db
    .selectFrom('portal_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (session === undefined) return undefined
  if (session.share_id === null) return { session, share: null }
  const share = await db
    .selectFrom('portal_shares')
    .selectAll()
    .where('environment_id', '=', session.environment_id)
    .where('id', '=', session.share_id)
    .executeTakeFirst()
  return share && { session, share }
}

/** Removes links and sessions that expired before. */
export async function removeEndedSessions(db: Db, endedBefore: Date): Promise<void> {
  await db.deleteFrom('portal_sessions').where('expires_at', '<', endedBefore).execute()
}
