import type { FastifyRequest } from 'fastify'
import { hashKey, randomSecret } from '../../platform/crypto/keys.ts'
import { badRequest, invalidInput, unauthorized } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { formatInstant } from '../../platform/time/instants.ts'
import {
  findLiveManagementKey,
  getOrganization,
  isOperator,
  type ManagementKeyRow,
  toManagementIdentity,
} from '../teams/index.ts'
import type { ConsoleSession, ConsoleSignIn } from './console.schema.ts'
import * as sessions from './console-sessions.global.repository.ts'
import { requireSameOrigin } from './same-origin.ts'
import { type CookieConfig, readSessionCookie } from './session-cookie.ts'

/** A working day. Whoever works on signs in again. */
export const SESSION_SECONDS = 8 * 3600
/** For who walked away from the screen. */
const IDLE_SECONDS = 30 * 60
/** A session in use is noted to be so once in this time, not with every request. */
const RENEWAL_SECONDS = 60

export interface ConsoleContext {
  db: Db
  clock: Clock
  config: CookieConfig
  /** Call it after a commit that ends access tokens. */
  forgetCredentials: () => void
}

/** The session whose cookie a request brings; undefined of one without. @throws AppError 401, 403 */
export type FindConsoleSession = (
  request: FastifyRequest,
) => Promise<sessions.FoundSession | undefined>

const idleSince = (now: Date): Date => new Date(now.getTime() - IDLE_SECONDS * 1000)
const after = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000)

/** A session that has begun; its token goes into the cookie and nowhere else. */
export interface StartedSession {
  token: string
  session: sessions.ConsoleSessionRow
  key: ManagementKeyRow
}

/**
 * The management key that a sign-in proves to have.
 * @throws AppError 401 `invalid_api_key`, 400 `invalid_code`, 422 unless exactly one is given
 */
export async function findKeyOfSignIn(
  { db, clock }: Pick<ConsoleContext, 'db' | 'clock'>,
  { management_key, code }: ConsoleSignIn,
): Promise<{ key: ManagementKeyRow; way: sessions.SignInWay }> {
  if ((management_key === undefined) === (code === undefined)) {
    throw invalidInput(['body'], 'Give either management_key or code', 'exactly_one')
  }
  if (management_key !== undefined) {
    const key = await findLiveManagementKey(db, management_key)
    if (key !== undefined) return { key, way: 'management_key' }
    throw unauthorized('invalid_api_key', 'The management key is unknown or revoked.')
  }
  const key = await sessions.takeSignInCode(db, hashKey(code ?? ''), clock.now())
  if (key !== undefined) return { key, way: 'code' }
  throw badRequest('invalid_code', 'The code is unknown, used or expired.')
}

/**
 * Begins a session, and ends the one that the browser had before: what a cookie held before the sign-in is worth
 * nothing after it.
 */
export async function startSession(
  { db, clock, forgetCredentials }: ConsoleContext,
  key: ManagementKeyRow,
  way: sessions.SignInWay,
  previousToken: string | undefined,
): Promise<StartedSession> {
  const now = clock.now()
  const token = `cs_${randomSecret()}`
  const session: sessions.ConsoleSessionRow = {
    id: newId(),
    token_hash: hashKey(token),
    management_key_id: key.id,
    signed_in_with: way,
    created_at: now,
    last_used_at: now,
    expires_at: after(now, SESSION_SECONDS),
  }
  await db.transaction().execute(async (transaction) => {
    await sessions.deleteEndedSessions(transaction, now, idleSince(now))
    if (previousToken !== undefined) {
      await sessions.deleteSessionByToken(transaction, hashKey(previousToken))
    }
    await sessions.insertSession(transaction, session)
  })
  forgetCredentials()
  return { token, session, key }
}

/** Finds whom the cookie of a request signs in, and keeps a session in use from ending. */
export function createConsoleAuthentication({
  db,
  clock,
  config,
}: Pick<ConsoleContext, 'db' | 'clock' | 'config'>): FindConsoleSession {
  return async (request: FastifyRequest) => {
    const token = readSessionCookie(request, config)
    if (token === undefined) return undefined
    requireSameOrigin(request, config.baseUrl)
    const now = clock.now()
    const found = await sessions.findLiveSession(db, hashKey(token), now, idleSince(now))
    if (found === undefined) {
      throw unauthorized('invalid_session', 'The session is unknown or has ended. Sign in again.')
    }
    const { session } = found
    if (after(session.last_used_at, RENEWAL_SECONDS) <= now) {
      await sessions.setLastUsed(db, session.id, now)
      session.last_used_at = now
    }
    return found
  }
}

/** The session as its owner sees it. */
export async function describeSession(
  db: Db,
  { session, key }: sessions.FoundSession,
): Promise<ConsoleSession> {
  const caller = toManagementIdentity(key)
  const { role, teamIds, organizationId } = caller
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
    management_key_id: key.id,
    label: key.label,
    role,
    team_ids: teamIds,
    organization_id: organizationId,
    organization_name: organization.name,
    is_operator: isOfOperator,
    is_empty: isEmpty,
  }
}

/** Ends a session with the access tokens that it minted. */
export async function endSession(
  { db, forgetCredentials }: ConsoleContext,
  sessionId: string,
): Promise<void> {
  await sessions.deleteSession(db, sessionId)
  forgetCredentials()
}
