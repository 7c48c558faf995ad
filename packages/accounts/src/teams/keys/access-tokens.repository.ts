import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { TeamAccessTokensTable } from './team-keys.repository.ts'

/** Whether a session of the console still exists; it stays until the transaction ends. */
export async function lockSession(db: Db, sessionId: string): Promise<boolean> {
  const { rows } =
    await sql`select from console_sessions where id = ${sessionId} for share`.execute(db)
  return rows.length === 1
}

export function insertAccessToken(db: Db, environmentId: string, token: NewAccessToken) {
  return db
    .insertInto('team_access_tokens')
    .values({ ...token, environment_id: environmentId })
    .execute()
}

type NewAccessToken = Omit<TeamAccessTokensTable, 'environment_id'>

export async function countAccessTokensSince(
  db: Db,
  managementKeyId: string,
  since: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('team_access_tokens')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('management_key_id', '=', managementKeyId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Deletes expired tokens, which give no access, of a management key whenever it creates a new one.
 */
export function deleteExpiredAccessTokens(db: Db, managementKeyId: string, now: Date) {
  return db
    .deleteFrom('team_access_tokens')
    .where('management_key_id', '=', managementKeyId)
    .where('expires_at', '<=', now)
    .execute()
}
