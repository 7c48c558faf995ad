import type { RowScope, Scope } from '@salus/kernel/scope'
import type { Selectable } from 'kysely'

interface PortalSessionsTable {
  environment_id: string
  user_id: string
  id: string
  /** The share that the session shows; null for the person. */
  share_id: string | null
  /** Of a link that was not opened yet. */
  code_hash: Buffer | null
  /** Of a session in a browser. */
  token_hash: Buffer | null
  /** Language that the team wants; null for that of the browser. */
  language: string | null
  /** Order that the page shows first. */
  order_id: string | null
  created_at: Date
  started_at: Date | null
  last_used_at: Date | null
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    portal_sessions: PortalSessionsTable
  }
}

export type PortalSessionRow = Selectable<PortalSessionsTable>

export async function insertSession(
  { db, environment }: Scope,
  session: Omit<PortalSessionRow, 'environment_id'>,
): Promise<void> {
  await db
    .insertInto('portal_sessions')
    .values({ ...session, environment_id: environment.id })
    .execute()
}

/**
 * Turns the code of a link into a session, once: of concurrent requests with the code one wins.
 * @returns Whether this one did.
 */
export async function startSession(
  { db, environment }: Scope,
  codeHash: Buffer,
  session: { token_hash: Buffer; started_at: Date; expires_at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('portal_sessions')
    .set({ ...session, code_hash: null, last_used_at: session.started_at })
    .where('environment_id', '=', environment.id)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns links and sessions of a person that have not expired, the newest first. */
export function listSessions(
  { db, environment }: Scope,
  userId: string,
  now: Date,
): Promise<PortalSessionRow[]> {
  return db
    .selectFrom('portal_sessions')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute()
}

export async function setLastUsed(
  { db, environment }: RowScope,
  id: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('portal_sessions')
    .set({ last_used_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/**
 * Ends a link or session, or all of the person; those of shares end with the share.
 * @returns Their number.
 */
export async function deleteSessions(
  { db, environment }: Scope,
  userId: string,
  id?: string,
): Promise<number> {
  let query = db
    .deleteFrom('portal_sessions')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
  query = id === undefined ? query.where('share_id', 'is', null) : query.where('id', '=', id)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}
