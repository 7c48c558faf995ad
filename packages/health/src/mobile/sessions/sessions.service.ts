import { enterEnvironment, findEnvironment } from '@salus/accounts/teams'
import { endSignIns, findUserReference, holdSignIn } from '@salus/accounts/users'
import { DAY_MS, SECOND_MS } from '@salus/contracts/time-units'
import { AppError, badRequest, invalidInput, notFound } from '@salus/kernel/errors'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { newId } from '@salus/kernel/ids'
import {
  createScope,
  type Environment,
  joinTransaction,
  type Scope,
  type Stores,
} from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { ACCESS_SECONDS, type AppTokens } from './app-tokens.ts'
import { mobileSessionEnded } from './mobile-sessions.events.ts'
import * as sessions from './mobile-sessions.global.repository.ts'
import { endLiveMobileSessions, insertMobileSession } from './mobile-sessions.repository.ts'
import {
  deriveNextRefreshToken,
  formatRefreshToken,
  hashesOf,
  makeRefreshToken,
  makeSalt,
  parseRefreshToken,
  type RefreshToken,
} from './refresh-tokens.ts'
import type { TokenBody, TokenPair } from './sessions.schema.ts'

/** A session ends when its refresh token was not used for this long. */
const LIFE_MS = 180 * DAY_MS
/** The previous token stays valid for this long after its use, in case the response was lost. */
const GRACE_MS = 60 * SECOND_MS

/** Clients read only this field and treat unknown values as network trouble. */
const tokenRefusal = (errorType: 'invalid_token' | 'reauthentication_required'): AppError =>
  new AppError(401, errorType, errorType, { error_message: undefined })

export interface MobileSessionContext extends Stores {
  tokens: AppTokens
  aliasesEnabled: boolean
}

/** A session with its owner. */
interface MobileSession {
  environment: Environment
  userId: string
  sessionId: string
}

/** A session with the scope of its requests. */
export interface GrantedMobileSession extends MobileSession {
  scope: Scope
}

/** The tokens that were granted, and their session. */
interface Granted extends GrantedMobileSession {
  pair: TokenPair
}

/** Called with the session that was ended because its refresh token was copied. */
type OnCopied = (session: GrantedMobileSession) => void

/**
 * Grants tokens at the token endpoint (docs/contract/07-mobile-sync.md#post-v1token).
 * @throws AppError 401 `invalid_token` or `reauthentication_required`, 400
 *   `unsupported_grant_type`, 422
 */
export async function grantTokens(
  context: MobileSessionContext,
  body: TokenBody,
  baseUrl: string,
  onCopied: OnCopied,
): Promise<Granted> {
  const key = await context.tokens.getKey()
  const { session, refreshToken } = await openMobileSession(context, body, onCopied)
  const pair = {
    access_token: await context.tokens.createAccessToken(key, { ...session, baseUrl }),
    refresh_token: formatRefreshToken(refreshToken),
    expires_in: ACCESS_SECONDS,
  }
  return { ...session, scope: createScope(context, session.environment), pair }
}

interface OpenMobileSession {
  session: MobileSession
  refreshToken: RefreshToken
}

function openMobileSession(
  context: MobileSessionContext,
  body: TokenBody,
  onCopied: OnCopied,
): Promise<OpenMobileSession> {
  if (body.grant_type === 'refresh_token') {
    return refreshMobileSession(context, requireField(body, 'refresh_token'), onCopied)
  }
  if (body.grant_type !== 'urn:ietf:params:oauth:grant-type:token-exchange') {
    throw badRequest('unsupported_grant_type', 'The grant type is not one that is taken here.')
  }
  const types = ['urn:salus:sign-in-token']
  if (context.aliasesEnabled) types.push('urn:junction:sign-in-token')
  if (!types.includes(requireField(body, 'subject_token_type'))) {
    const loc: ['body', string] = ['body', 'subject_token_type']
    throw invalidInput(loc, `Input should be one of: ${types.join(', ')}`, 'enum')
  }
  return beginMobileSession(context, requireField(body, 'subject_token'))
}

function requireField(body: TokenBody, field: keyof TokenBody): string {
  const value = body[field]
  if (value === undefined) throw invalidInput(['body', field], 'Field required', 'missing')
  return value
}

async function beginMobileSession(
  context: MobileSessionContext,
  userToken: string,
): Promise<OpenMobileSession> {
  const claims = await context.tokens.readSignInToken(userToken)
  const scope = claims && (await enterEnvironment(context, claims.environmentId))
  if (claims === undefined || scope === undefined) throw tokenRefusal('invalid_token')
  const refreshToken = makeRefreshToken()
  const { family, token } = hashesOf(refreshToken)
  const now = scope.clock.now()
  const session = { environment: scope.environment, userId: claims.userId, sessionId: newId() }
  const hasBegun = await scope.transaction(async (tx) => {
    const user = await holdSignIn(tx, claims.userId)
    if (user?.sign_in_generation !== claims.generation) return false
    return insertMobileSession(tx, {
      id: session.sessionId,
      user_id: claims.userId,
      sign_in_id: claims.id,
      family_hash: family,
      token_hash: token,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFE_MS),
    })
  })
  if (!hasBegun) throw tokenRefusal('invalid_token')
  return { session, refreshToken }
}

/**
 * Refreshes a session. A token that is reused after its grace period was copied, and either holder
 * may be the thief: the session ends for both. An unknown token may predate a restored backup, so
 * the app keeps its data and signs in again.
 */
async function refreshMobileSession(
  context: MobileSessionContext,
  text: string,
  onCopied: OnCopied,
): Promise<OpenMobileSession> {
  const given = parseRefreshToken(text)
  const found = given && (await rotateRefreshToken(context, given))
  if (found === undefined) throw tokenRefusal('reauthentication_required')
  if (found === 'deleted') throw tokenRefusal('invalid_token')
  if ('copied' in found) {
    onCopied({ ...found.copied, scope: createScope(context, found.copied.environment) })
    context.log.warn('ended a mobile session: a refresh token was reused after its grace period')
    throw tokenRefusal('reauthentication_required')
  }
  return found
}

type Rotation = OpenMobileSession | { copied: MobileSession } | 'deleted' | undefined

function rotateRefreshToken(stores: Stores, given: RefreshToken): Promise<Rotation> {
  const now = stores.clock.now()
  const { family, token } = hashesOf(given)
  return stores.db.transaction().execute(async (db) => {
    const row = await sessions.lockMobileSession(db, family)
    if (row === undefined) return undefined
    const environment = await findEnvironment(db, row.environment_id)
    const user = environment && (await findUserReference({ db, environment }, row.user_id))
    if (environment === undefined || user === undefined) return 'deleted'
    if (row.ended_at !== null || row.expires_at <= now) return undefined
    const session = { environment, userId: row.user_id, sessionId: row.id }
    if (row.token_hash.equals(token)) {
      const salt = makeSalt()
      const next = deriveNextRefreshToken(given, salt)
      await sessions.updateMobileSession(db, row, {
        token_hash: hashesOf(next).token,
        previous_hash: token,
        previous_until: new Date(now.getTime() + GRACE_MS),
        salt,
        expires_at: new Date(now.getTime() + LIFE_MS),
      })
      return { session, refreshToken: next }
    }
    const { previous_hash: previous, previous_until: until, salt } = row
    if (previous?.equals(token) && salt !== null && until !== null && now <= until) {
      return { session, refreshToken: deriveNextRefreshToken(given, salt) }
    }
    await sessions.updateMobileSession(db, row, { ended_at: now })
    const data = toEnded(session, 'refresh_token_reused', now)
    const event = newEvent({ type: mobileSessionEnded, user, data })
    await writeEvents(joinTransaction(stores, environment, db), [event])
    return { copied: session }
  })
}

function toEnded(
  { userId, sessionId }: Pick<MobileSession, 'userId' | 'sessionId'>,
  reason: 'refresh_token_reused' | 'revoked',
  at: Date,
) {
  return { user_id: userId, session_id: sessionId, reason, ended_at: formatInstant(at) }
}

/**
 * Ends all sessions of a user's apps at once, with their access tokens, and removes sign-in tokens
 * and link codes that could start others.
 * @returns their number
 * @throws AppError 404
 */
export function endMobileSessions(scope: Scope, givenId: string): Promise<number> {
  return scope.transaction(async (tx) => {
    const user = await endSignIns(tx, givenId.toLowerCase())
    if (user === undefined) throw notFound('User')
    const at = tx.clock.now()
    const ids = await endLiveMobileSessions(tx, user.id, at)
    const events = ids.map((sessionId) => {
      const data = toEnded({ userId: user.id, sessionId }, 'revoked', at)
      return newEvent({ type: mobileSessionEnded, user, data })
    })
    await writeEvents(tx, events)
    return ids.length
  })
}
