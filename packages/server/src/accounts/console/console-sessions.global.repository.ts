import { sql } from 'kysely'
import type { Db } from '../../platform/postgres/database.ts'
import type { ManagementKeyRow } from '../teams/index.ts'

/** Sessions are of management keys, which are of organizations and of no environment. */

export const SIGN_IN_WAYS = ['management_key', 'code', 'openid_connect'] as const
export type SignInWay = (typeof SIGN_IN_WAYS)[number]

interface ConsoleSessionsTable {
  id: string
  token_hash: Buffer
  management_key_id: string
  signed_in_with: SignInWay
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

interface ConsoleSignInCodesTable {
  code_hash: Buffer
  management_key_id: string
  created_at: Date
  expires_at: Date
}

declare module '../../platform/postgres/database.ts' {
  interface Database {
    console_sessions: ConsoleSessionsTable
    console_sign_in_codes: ConsoleSignInCodesTable
  }
}

export type ConsoleSessionRow = ConsoleSessionsTable

/** Sessions that live: of a key that is not revoked, used lately, and not older than they may become. */
function liveSessions(db: Db, now: Date, usedSince: Date) {
  return db
    .selectFrom('console_sessions as session')
    .innerJoin('management_keys as key', 'key.id', 'session.management_key_id')
    .where('key.deleted_at', 'is', null)
    .where('session.expires_at', '>', now)
    .where('session.last_used_at', '>', usedSince)
}

export interface FoundSession {
  session: ConsoleSessionRow
  key: ManagementKeyRow
}

export async function findLiveSession(
  db: Db,
  tokenHash: Buffer,
  now: Date,
  usedSince: Date,
): Promise<FoundSession | undefined> {
  const row = await liveSessions(db, now, usedSince)
    .selectAll('key')
    .select([
      'session.id as session_id',
      'session.signed_in_with',
      'session.created_at as session_created_at',
      'session.last_used_at',
      'session.expires_at',
    ])
    .where('session.token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { session_id, signed_in_with, session_created_at, last_used_at, expires_at, ...key } = row
  const session = {
    id: session_id,
    token_hash: tokenHash,
    management_key_id: key.id,
    signed_in_with,
    created_at: session_created_at,
    last_used_at,
    expires_at,
  }
  return { session, key }
}

export async function insertSession(db: Db, session: ConsoleSessionRow): Promise<void> {
  await db.insertInto('console_sessions').values(session).execute()
}

export async function setLastUsed(db: Db, sessionId: string, at: Date): Promise<void> {
  await db
    .updateTable('console_sessions')
    .set({ last_used_at: at })
    .where('id', '=', sessionId)
    .execute()
}

/** Ends a session; the access tokens that it minted go with it. */
export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('console_sessions').where('id', '=', sessionId).execute()
}

export async function deleteSessionByToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('console_sessions').where('token_hash', '=', tokenHash).execute()
}

/** Sessions that have ended by themselves. */
export async function deleteEndedSessions(db: Db, now: Date, usedSince: Date): Promise<void> {
  await db
    .deleteFrom('console_sessions')
    .where((where) =>
      where.or([where('expires_at', '<=', now), where('last_used_at', '<=', usedSince)]),
    )
    .execute()
}

/** Whether none of the teams has a person yet. @param teamIds null is every team of the organization */
export async function hasNoUsers(
  db: Db,
  organizationId: string,
  teamIds: string[] | null,
): Promise<boolean> {
  let query = db
    .selectFrom('users as person')
    .innerJoin('team_environments as environment', 'environment.id', 'person.environment_id')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select('person.id')
    .where('team.organization_id', '=', organizationId)
    .where('team.deleted_at', 'is', null)
    .where('person.deleted_at', 'is', null)
  if (teamIds !== null) query = query.where('team.id', '=', sql<string>`any(${teamIds}::uuid[])`)
  return (await query.limit(1).executeTakeFirst()) === undefined
}

export async function insertSignInCode(db: Db, code: ConsoleSignInCodesTable): Promise<void> {
  await db.insertInto('console_sign_in_codes').values(code).execute()
}

/** Uses a code up; undefined of one that is unknown, was used, has ended, or is of a revoked key. */
export async function takeSignInCode(
  db: Db,
  codeHash: Buffer,
  now: Date,
): Promise<ManagementKeyRow | undefined> {
  const taken = await db
    .deleteFrom('console_sign_in_codes')
    .where('code_hash', '=', codeHash)
    .returning(['management_key_id', 'expires_at'])
    .executeTakeFirst()
  if (taken === undefined || taken.expires_at <= now) return undefined
  return db
    .selectFrom('management_keys')
    .selectAll()
    .where('id', '=', taken.management_key_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function deleteExpiredCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('console_sign_in_codes').where('expires_at', '<=', now).execute()
}
