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
import { endSessions, insertSession } from './mobile-sessions.repository.ts'
import {
  followRefreshToken,
  formatRefreshToken,
  hashesOf,
  makeRefreshToken,
  makeSalt,
  parseRefreshToken,
  type RefreshToken,
} from './refresh-tokens.ts'
import type { TokenBody, TokenPair } from './sessions.schema.ts'

/** A session ends when its refresh token was not used for so long. */
const LIFE_MS = 180 * DAY_MS
/**
 * The token before the present one is good for so long after it was used, in case its answer was
 * lost.
 */
const GRACE_MS = 60 * SECOND_MS

/** Clients read this one field and take what they do not know for trouble of the network. */
const refusal = (errorType: 'invalid_token' | 'reauthentication_required'): AppError =>
  new AppError(401, errorType, errorType, { error_message: undefined })

export interface SessionContext extends Stores {
  tokens: AppTokens
  aliasesEnabled: boolean
}

/** A session, and whose it is. */
interface Session {
  environment: Environment
  userId: string
  sessionId: string
}

/** A session with the scope in which its requests work. */
export interface GrantedSession extends Session {
  scope: Scope
}

/** What the token endpoint gave, and to whom. */
interface Granted extends GrantedSession {
  pair: TokenPair
}

/**
 * Called with the session that was ended, because somebody else has a copy of its refresh token.
 */
type OnCopied = (session: GrantedSession) => void

/**
 * Answers the token endpoint (docs/contract/07-mobile-sync.md#post-v1token).
 * @throws AppError 401 `invalid_token` or `reauthentication_required`, 400
 *   `unsupported_grant_type`, 422
 */
export async function grantTokens(
  context: SessionContext,
  body: TokenBody,
  baseUrl: string,
  onCopied: OnCopied,
): Promise<Granted> {
  const key = await context.tokens.getKey()
  const { session, refreshToken } = await openSession(context, body, onCopied)
  const pair = {
    access_token: await context.tokens.createAccessToken(key, { ...session, baseUrl }),
    refresh_token: formatRefreshToken(refreshToken),
    expires_in: ACCESS_SECONDS,
  }
  return { ...session, scope: createScope(context, session.environment), pair }
}

interface OpenSession {
  session: Session
  refreshToken: RefreshToken
}

function openSession(
  context: SessionContext,
  body: TokenBody,
  onCopied: OnCopied,
): Promise<OpenSession> {
  if (body.grant_type === 'refresh_token') {
    return refreshSession(context, required(body, 'refresh_token'), onCopied)
  }
  if (body.grant_type !== 'urn:ietf:params:oauth:grant-type:token-exchange') {
    throw badRequest('unsupported_grant_type', 'The grant type is not one that is taken here.')
  }
  const types = ['urn:salus:sign-in-token']
  if (context.aliasesEnabled) types.push('urn:junction:sign-in-token')
  if (!types.includes(required(body, 'subject_token_type'))) {
    const loc: ['body', string] = ['body', 'subject_token_type']
    throw invalidInput(loc, `Input should be one of: ${types.join(', ')}`, 'enum')
  }
  return beginSession(context, required(body, 'subject_token'))
}

function required(body: TokenBody, field: keyof TokenBody): string {
  const value = body[field]
  if (value === undefined) throw invalidInput(['body', field], 'Field required', 'missing')
  return value
}

async function beginSession(context: SessionContext, userToken: string): Promise<OpenSession> {
  const claims = await context.tokens.readSignInToken(userToken)
  const scope = claims && (await enterEnvironment(context, claims.environmentId))
  if (claims === undefined || scope === undefined) throw refusal('invalid_token')
  const refreshToken = makeRefreshToken()
  const { family, token } = hashesOf(refreshToken)
  const now = scope.clock.now()
  const session = { environment: scope.environment, userId: claims.userId, sessionId: newId() }
  const hasBegun = await scope.transaction(async (tx) => {
    const user = await holdSignIn(tx, claims.userId)
    if (user?.sign_in_generation !== claims.generation) return false
    return insertSession(tx, {
      id: session.sessionId,
      user_id: claims.userId,
      sign_in_id: claims.id,
      family_hash: family,
      token_hash: token,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFE_MS),
    })
  })
  if (!hasBegun) throw refusal('invalid_token')
  return { session, refreshToken }
}

/**
 * A token that came again after its grace was copied, by whom cannot be told: the session ends for
 * both. A token that nobody knows may be of before a restored backup, so the app keeps its data and
 * signs in again.
 */
async function refreshSession(
  context: SessionContext,
  text: string,
  onCopied: OnCopied,
): Promise<OpenSession> {
  const given = parseRefreshToken(text)
  const found = given && (await rotate(context, given))
  if (found === undefined) throw refusal('reauthentication_required')
  if (found === 'deleted') throw refusal('invalid_token')
  if ('copied' in found) {
    onCopied({ ...found.copied, scope: createScope(context, found.copied.environment) })
    context.log.warn('a refresh token came again after its grace: the session of the app was ended')
    throw refusal('reauthentication_required')
  }
  return found
}

type Rotation = OpenSession | { copied: Session } | 'deleted' | undefined

function rotate(stores: Stores, given: RefreshToken): Promise<Rotation> {
  const now = stores.clock.now()
  const { family, token } = hashesOf(given)
  return stores.db.transaction().execute(async (db) => {
    const row = await sessions.lockSession(db, family)
    if (row === undefined) return undefined
    const environment = await findEnvironment(db, row.environment_id)
    const user = environment && (await findUserReference({ db, environment }, row.user_id))
    if (environment === undefined || user === undefined) return 'deleted'
    if (row.ended_at !== null || row.expires_at <= now) return undefined
    const session = { environment, userId: row.user_id, sessionId: row.id }
    if (row.token_hash.equals(token)) {
      const salt = makeSalt()
      const next = followRefreshToken(given, salt)
      await sessions.updateSession(db, row, {
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
      return { session, refreshToken: followRefreshToken(given, salt) }
    }
    await sessions.updateSession(db, row, { ended_at: now })
    const data = toEnded(session, 'refresh_token_reused', now)
    const event = newEvent({ type: mobileSessionEnded, user, data })
    await writeEvents(joinTransaction(stores, environment, db), [event])
    return { copied: session }
  })
}

function toEnded(
  { userId, sessionId }: Pick<Session, 'userId' | 'sessionId'>,
  reason: 'refresh_token_reused' | 'revoked',
  at: Date,
) {
  return { user_id: userId, session_id: sessionId, reason, ended_at: formatInstant(at) }
}

/**
 * Ends all sessions of a person's apps, at once, with their access tokens, and with sign-in tokens
 * and link codes that would begin others.
 * @returns how many
 * @throws AppError 404
 */
export function endMobileSessions(scope: Scope, givenId: string): Promise<number> {
  return scope.transaction(async (tx) => {
    const user = await endSignIns(tx, givenId.toLowerCase())
    if (user === undefined) throw notFound('User')
    const at = tx.clock.now()
    const ids = await endSessions(tx, user.id, at)
    const events = ids.map((sessionId) => {
      const data = toEnded({ userId: user.id, sessionId }, 'revoked', at)
      return newEvent({ type: mobileSessionEnded, user, data })
    })
    await writeEvents(tx, events)
    return ids.length
  })
}
