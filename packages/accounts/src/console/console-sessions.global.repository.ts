import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { ManagementKeyRow } from '../teams/index.ts'
import type { SignInWay } from './console.schema.ts'

/** Sessions belong to management keys, which belong to organizations and not to environments. */

interface ConsoleSessionsTable {
  id: string
  token_hash: Buffer
  management_key_id: string
  signed_in_with: SignInWay
  /** Whether the user has proven a second factor in it. */
  has_second_factor: boolean
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    console_sessions: ConsoleSessionsTable
  }
}

export type ConsoleSessionRow = ConsoleSessionsTable

/** Times that decide whether a session is live. */
export interface LiveTimes {
  now: Date
  /** A session that was last used before this time has ended. */
  usedSince: Date
}

/**
 * Live sessions: those of a key that is not revoked and of a user who is not suspended, used
 * recently, and not older than the maximum age.
 */
function liveSessions(db: Db, { now, usedSince }: LiveTimes) {
  return db
    .selectFrom('console_sessions as session')
    .innerJoin('management_keys as key', 'key.id', 'session.management_key_id')
    .innerJoin('organizations as organization', 'organization.id', 'key.organization_id')
    .leftJoin('organization_users as member', 'member.management_key_id', 'key.id')
    .where('key.deleted_at', 'is', null)
    .where((where) =>
      where.or([where('member.status', 'is', null), where('member.status', '=', 'active')]),
    )
    .where('session.expires_at', '>', now)
    .where('session.last_used_at', '>', usedSince)
}

export interface FoundSession {
  session: Omit<ConsoleSessionRow, 'token_hash' | 'management_key_id'>
  key: ManagementKeyRow
  /** The user who is signed in; null for a key. */
  user: { id: string; email: string } | null
  /** Whether the organization requires a second factor, which the user has not set up yet. */
  lacksSecondFactor: boolean
}

/** Live sessions, each with its key and its user. */
function sessionsWithKeys(db: Db, times: LiveTimes) {
  return liveSessions(db, times)
    .selectAll('key')
    .select([
      'session.id as session_id',
      'session.signed_in_with',
      'session.has_second_factor',
      'session.created_at as session_created_at',
      'session.last_used_at',
      'session.expires_at',
      'member.id as user_id',
      'member.email as user_email',
      'organization.second_factor_required',
    ])
}

type JoinedRow = Awaited<ReturnType<ReturnType<typeof sessionsWithKeys>['executeTakeFirstOrThrow']>>

function toFound(row: JoinedRow): FoundSession {
  const { session_id, signed_in_with, has_second_factor, session_created_at, ...more } = row
  const { last_used_at, expires_at, user_id, user_email, second_factor_required, ...key } = more
  const times = { created_at: session_created_at, last_used_at, expires_at }
  const isOfUser = user_id !== null && user_email !== null
  return {
    session: { id: session_id, signed_in_with, has_second_factor, ...times },
    key,
    user: isOfUser ? { id: user_id, email: user_email } : null,
    lacksSecondFactor: isOfUser && second_factor_required && !has_second_factor,
  }
}

export async function findLiveSession(
  db: Db,
  tokenHash: Buffer,
  times: LiveTimes,
): Promise<FoundSession | undefined> {
  const row = await sessionsWithKeys(db, times)
    .where('session.token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row && toFound(row)
}

/** Maximum number of listed sessions; more are too many to look through. */
const MOST_LISTED = 500

/** Returns the live sessions of all keys of an organization, the newest first. */
export async function listLiveSessions(
  db: Db,
  organizationId: string,
  times: LiveTimes,
): Promise<FoundSession[]> {
  const rows = await sessionsWithKeys(db, times)
    .where('key.organization_id', '=', organizationId)
    .orderBy('session.created_at', 'desc')
    .orderBy('session.id')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(toFound)
}

/** Returns a session of an organization by its id. */
export async function findLiveSessionById(
  db: Db,
  organizationId: string,
  sessionId: string,
  times: LiveTimes,
): Promise<FoundSession | undefined> {
  const row = await sessionsWithKeys(db, times)
    .where('key.organization_id', '=', organizationId)
    .where('session.id', '=', sessionId)
    .executeTakeFirst()
  return row && toFound(row)
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

/** Records that the user of a session has set up or proven a second factor. */
export async function setSecondFactor(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('console_sessions')
    .set({ has_second_factor: true })
    .where('id', '=', sessionId)
    .execute()
}

/** Ends a session, with the access tokens that were created for it. */
export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('console_sessions').where('id', '=', sessionId).execute()
}

/** Ends all sessions of all users, and every other pending sign-in. */
export async function deleteEverySession(db: Db): Promise<void> {
  await db.deleteFrom('console_sessions').execute()
  await db.deleteFrom('console_sign_in_codes').execute()
}

export async function deleteSessionByToken(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('console_sessions').where('token_hash', '=', tokenHash).execute()
}

/** Ends the sessions of a key except one; returns how many there were. */
export async function deleteOtherSessions(
  db: Db,
  managementKeyId: string,
  keptId: string | undefined,
): Promise<number> {
  let query = db.deleteFrom('console_sessions').where('management_key_id', '=', managementKeyId)
  if (keptId !== undefined) query = query.where('id', '<>', keptId)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Deletes sessions that have expired. */
export async function deleteEndedSessions(db: Db, { now, usedSince }: LiveTimes): Promise<void> {
  await db
    .deleteFrom('console_sessions')
    .where((where) =>
      where.or([where('expires_at', '<=', now), where('last_used_at', '<=', usedSince)]),
    )
    .execute()
}

/**
 * Whether none of the teams has a user yet.
 * @param teamIds null means every team of the organization
 */
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
