import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { badRequest, forbidden, notFound, unauthorized } from '@salus/kernel/errors'
import { hasPermission } from '@salus/kernel/http/permissions'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import type { Clock } from '@salus/kernel/time/clock'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  findLiveManagementKey,
  getOrganization,
  hasRightsOf,
  isOperator,
  listPermissions,
  type ManagementKeyIdentity,
  type ManagementKeyRow,
  PERMISSIONS_OF_ROLES,
  toManagementIdentity,
} from '../teams/index.ts'
import type {
  ConsoleSession,
  ConsoleSessionList,
  ConsoleSignIn,
  SignInWay,
} from './console.schema.ts'
import * as sessions from './console-sessions.global.repository.ts'
import type { CookieConfig } from './session-cookie.ts'
import { takeSignInCode } from './sign-in-codes.global.repository.ts'
import { updateUser } from './users/organization-users.global.repository.ts'

/** A working day; after it the user signs in again. */
const SESSION_SECONDS = 8 * 3600
/** Ends the session of a user who walked away from the screen. */
const IDLE_SECONDS = 30 * 60
/** The use of a session is recorded once in this time, not with every request. */
const RENEWAL_SECONDS = 60

export interface ConsoleContext {
  db: Db
  clock: Clock
  config: CookieConfig
  /** Clears cached credentials; call it after a commit that ends access tokens. */
  forgetCredentials: () => void
}

const timesOf = (now: Date): sessions.LiveTimes => ({ now, usedSince: after(now, -IDLE_SECONDS) })
const after = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000)

/** Whom a sign-in proves. */
export interface ProvenSignIn {
  key: ManagementKeyRow
  way: SignInWay
  /** The user of the organization; undefined for a key and for OpenID Connect of the server. */
  user?: { id: string; hasSecondFactor: boolean }
}

const ENDED = 'The session is unknown or has ended. Sign in again.'

/** A new session; its token is stored only in the cookie. */
export interface StartedSession extends sessions.FoundSession {
  token: string
}

/**
 * Returns the management key that itself or a one-time code proves.
 * @throws AppError 401 `invalid_api_key`, 400 `invalid_code`
 */
export async function findKeyOfSignIn(
  { db, clock }: Pick<ConsoleContext, 'db' | 'clock'>,
  { management_key, code }: Pick<ConsoleSignIn, 'management_key' | 'code'>,
): Promise<ProvenSignIn> {
  if (management_key !== undefined) {
    const key = await findLiveManagementKey(db, management_key)
    if (key !== undefined) return { key, way: 'management_key' }
    throw unauthorized('invalid_api_key', 'The management key is unknown or revoked.')
  }
  const key = await takeSignInCode(db, hashKey(code ?? ''), clock.now())
  if (key !== undefined) return { key, way: 'code' }
  throw badRequest('invalid_code', 'The code is unknown, used or expired.')
}

/**
 * Starts a session, and ends the previous one of the browser, so that a cookie from before the
 * sign-in is useless after it.
 */
export async function startSession(
  { db, clock, forgetCredentials }: ConsoleContext,
  { key, way, user }: ProvenSignIn,
  previousToken: string | undefined,
): Promise<StartedSession> {
  const now = clock.now()
  const token = `cs_${randomSecret()}`
  const session: sessions.ConsoleSessionRow = {
    id: newId(),
    token_hash: hashKey(token),
    management_key_id: key.id,
    signed_in_with: way,
    has_second_factor: user?.hasSecondFactor ?? false,
    created_at: now,
    last_used_at: now,
    expires_at: after(now, SESSION_SECONDS),
  }
  await db.transaction().execute(async (transaction) => {
    await sessions.deleteEndedSessions(transaction, timesOf(now))
    if (previousToken !== undefined) {
      await sessions.deleteSessionByToken(transaction, hashKey(previousToken))
    }
    await sessions.insertSession(transaction, session)
    if (user !== undefined) await updateUser(transaction, user.id, { last_sign_in_at: now })
  })
  forgetCredentials()
  const found = await sessions.findLiveSession(db, session.token_hash, timesOf(now))
  // Revoked or suspended in this moment.
  if (found === undefined) throw unauthorized('invalid_session', ENDED)
  return { token, ...found }
}

/**
 * Returns the session of a token, and records its use so that it does not expire.
 * @throws AppError 401 `invalid_session`
 */
export async function renewSession(
  { db, clock }: Pick<ConsoleContext, 'db' | 'clock'>,
  token: string,
): Promise<sessions.FoundSession> {
  const now = clock.now()
  const found = await sessions.findLiveSession(db, hashKey(token), timesOf(now))
  if (found === undefined) {
    throw unauthorized('invalid_session', ENDED)
  }
  const { session } = found
  if (after(session.last_used_at, RENEWAL_SECONDS) <= now) {
    await sessions.setLastUsed(db, session.id, now)
    session.last_used_at = now
  }
  return found
}

/** Returns the session as its owner sees it. */
export async function describeSession(
  db: Db,
  { session, key, user, lacksSecondFactor }: sessions.FoundSession,
): Promise<ConsoleSession> {
  const caller = toManagementIdentity(key)
  const { role, teamIds, environments, organizationId } = caller
  const [organization, isOfOperator, isEmpty] = await Promise.all([
    getOrganization(db, caller),
    isOperator(db, caller),
    sessions.hasNoUsers(db, organizationId, teamIds),
  ])
  const idleEnd = after(session.last_used_at, IDLE_SECONDS)
  return {
    id: session.id,
    signed_in_with: session.signed_in_with,
    created_at: formatInstant(session.created_at),
    expires_at: formatInstant(session.expires_at),
    idle_expires_at: formatInstant(idleEnd < session.expires_at ? idleEnd : session.expires_at),
    key: { id: key.id, label: key.label, role },
    user: user && { ...user, name: key.label },
    second_factor_setup_required: lacksSecondFactor,
    organization: { id: organization.id, name: organization.name },
    team_ids: teamIds,
    environments,
    permissions: listPermissions(PERMISSIONS_OF_ROLES[role]),
    is_operator: isOfOperator,
    is_empty: isEmpty,
  }
}

/** Ends a session with the access tokens that were created for it. */
export async function endSession(
  { db, forgetCredentials }: ConsoleContext,
  sessionId: string,
): Promise<void> {
  await sessions.deleteSession(db, sessionId)
  forgetCredentials()
}

/**
 * Whether a caller may see or end sessions of a key: of its own, and with the permission for keys
 * those that have no more rights.
 */
function reaches(
  caller: ManagementKeyIdentity,
  permission: 'keys:read' | 'keys:write',
  key: ManagementKeyRow,
): boolean {
  if (key.id === caller.id) return true
  const isAllowed = hasPermission(PERMISSIONS_OF_ROLES[caller.role], permission)
  return isAllowed && hasRightsOf(caller, toManagementIdentity(key))
}

/** Returns the sessions that the caller may see, the newest first. */
export async function listSessions(
  { db, clock }: ConsoleContext,
  caller: ManagementKeyIdentity,
): Promise<ConsoleSessionList> {
  const times = timesOf(clock.now())
  const found = await sessions.listLiveSessions(db, caller.organizationId, times)
  const data = found
    .filter(({ key }) => reaches(caller, 'keys:read', key))
    .map(({ session, key }) => ({
      id: session.id,
      key: { id: key.id, label: key.label, role: key.role },
      signed_in_with: session.signed_in_with,
      created_at: formatInstant(session.created_at),
      last_used_at: formatInstant(session.last_used_at),
      expires_at: formatInstant(session.expires_at),
      is_current: session.id === caller.session?.id,
    }))
  return { data }
}

/** Ends the session of another user. @throws AppError 403 `role_too_low`, 404 */
export async function revokeSession(
  context: ConsoleContext,
  caller: ManagementKeyIdentity,
  sessionId: string,
): Promise<{ success: boolean }> {
  const { db, clock } = context
  const times = timesOf(clock.now())
  const found = await sessions.findLiveSessionById(db, caller.organizationId, sessionId, times)
  if (found === undefined) throw notFound('Session')
  if (!reaches(caller, 'keys:write', found.key)) {
    throw forbidden('role_too_low', 'The session is of a key that the calling one may not change.')
  }
  await endSession(context, found.session.id)
  return { success: true }
}

/** Ends every session of the caller's key except the one that sends the request. */
export async function endOtherSessions(
  { db, forgetCredentials }: ConsoleContext,
  caller: ManagementKeyIdentity,
): Promise<{ ended: number }> {
  const ended = await sessions.deleteOtherSessions(db, caller.id, caller.session?.id)
  forgetCredentials()
  return { ended }
}
