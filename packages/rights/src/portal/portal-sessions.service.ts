import { enterEnvironment, getClientFacingTeam } from '@salus/accounts/teams'
import { findUserReference, findUserZone, getUserRow } from '@salus/accounts/users'
import { DAY_SECONDS, MINUTE_MS } from '@salus/contracts/time-units'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { AppError, badRequest, notFound, unauthorized } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Scope, Stores } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { requireOrderOf } from '@salus/lab/orders'
import { findErasureRequest } from './erasure-requests.service.ts'
import {
  findLinkByCode,
  findSessionByToken,
  findShareBySecret,
} from './portal.global.repository.ts'
import type { PortalAccess, PortalSession, PortalUrl, PortalUrlCreate } from './portal.schema.ts'
import * as sessions from './portal-sessions.repository.ts'
import { type PortalShareRow, setShareUsed } from './portal-shares.repository.ts'

/** Lifetimes of links in seconds (docs/contract/22-portal.md#links). */
const LINK_SECONDS = { launch: 600, communications: 28 * DAY_SECONDS } as const
const SESSION_MS = 12 * 60 * MINUTE_MS
/** Ends the session of a person who left the device. */
const IDLE_MS = 60 * MINUTE_MS
/** Uses are recorded once in this time, not with every request. */
const RENEWAL_MS = MINUTE_MS

/** Prefixes by which the secrets of both kinds of links differ. */
const PERSON_CODE = 'pl_'
export const SHARE_SECRET = 'ps_'

/** A session that a browser sends: of the person, or of a share. */
export interface OpenPortalSession {
  session: sessions.PortalSessionRow
  share: PortalShareRow | null
  scope: Scope
}

const after = (from: Date, ms: number): Date => new Date(from.getTime() + ms)

/**
 * Creates a link that opens the page of a person once. Only a hash of its code is stored.
 * @throws AppError 404 for the user, and for an order of another one
 */
export async function createPortalUrl(
  scope: Scope,
  userId: string,
  { context, order_id: orderId, language }: PortalUrlCreate,
  baseUrl: string,
): Promise<PortalUrl> {
  const user = await getUserRow(scope, userId)
  if (orderId) await requireOrderOf(scope, orderId, user.id)
  const now = scope.clock.now()
  const code = `${PERSON_CODE}${randomSecret()}`
  const seconds = LINK_SECONDS[context]
  const link = { id: newId(), user_id: user.id, share_id: null, order_id: orderId ?? null }
  await scope.transaction((tx) =>
    sessions.insertSession(tx, {
      ...link,
      ...{ code_hash: hashKey(code), token_hash: null, language: language ?? null },
      ...{ created_at: now, started_at: null, last_used_at: null },
      expires_at: after(now, seconds * 1000),
    }),
  )
  // The part after # is not sent to a server, so no log and no proxy on the way stores it.
  return { url: `${baseUrl}/me#code=${code}`, expires_in: seconds }
}

/**
 * Opens a link: uses up the code of the person, or begins a session of a share.
 * @returns The session with its token, which only the cookie keeps.
 * @throws AppError 400 `invalid_code`, 410 `share_ended`
 */
export function openPortalSession(
  stores: Stores,
  code: string,
): Promise<OpenPortalSession & { token: string }> {
  return code.startsWith(SHARE_SECRET) ? openShare(stores, code) : openLink(stores, code)
}

const INVALID_CODE = badRequest('invalid_code', 'The link is unknown, used or expired.')
const SHARE_ENDED = new AppError(410, 'share_ended', 'The share has expired or was revoked.')

async function openLink(stores: Stores, code: string) {
  const codeHash = hashKey(code)
  const link = await findLinkByCode(stores.db, codeHash)
  const now = stores.clock.now()
  if (link === undefined || link.expires_at <= now) throw INVALID_CODE
  const scope = await enterLivePerson(stores, link)
  if (scope === undefined) throw INVALID_CODE
  const token = newToken()
  const started = {
    token_hash: hashKey(token),
    started_at: now,
    expires_at: after(now, SESSION_MS),
  }
  if (!(await sessions.startSession(scope, codeHash, started))) throw INVALID_CODE
  const session = { ...link, ...started, code_hash: null, last_used_at: now }
  return { session, share: null, scope, token }
}

async function openShare(stores: Stores, secret: string) {
  const share = await findShareBySecret(stores.db, hashKey(secret))
  if (share === undefined) throw INVALID_CODE
  const now = stores.clock.now()
  if (isEnded(share, now)) throw SHARE_ENDED
  const scope = await enterLivePerson(stores, share)
  if (scope === undefined) throw SHARE_ENDED
  const token = newToken()
  const end = after(now, SESSION_MS)
  const session: sessions.PortalSessionRow = {
    ...{ environment_id: scope.environment.id, user_id: share.user_id, id: newId() },
    ...{ share_id: share.id, code_hash: null, token_hash: hashKey(token) },
    ...{ language: null, order_id: null, created_at: now, started_at: now, last_used_at: now },
    expires_at: share.expires_at < end ? share.expires_at : end,
  }
  const { environment_id: _, ...row } = session
  await sessions.insertSession(scope, row)
  await setShareUsed(scope, share.id, now)
  return { session, share, scope, token }
}

const newToken = (): string => `pt_${randomSecret()}`

export const isEnded = (
  share: Pick<PortalShareRow, 'revoked_at' | 'expires_at'>,
  now: Date,
): boolean => share.revoked_at !== null || share.expires_at <= now

/** Returns the scope of a person; undefined when they or the team were deleted. */
async function enterLivePerson(
  stores: Stores,
  { environment_id: environmentId, user_id: userId }: { environment_id: string; user_id: string },
): Promise<Scope | undefined> {
  const scope = await enterEnvironment(stores, environmentId)
  if (scope === undefined) return undefined
  return (await findUserReference(scope, userId)) && scope
}

const INVALID_SESSION = unauthorized(
  'invalid_session',
  'The session is unknown or has ended. Open a new link.',
)

/**
 * Returns the session of a token, and records its use.
 * @throws AppError 401 `invalid_session`, 410 `share_ended`
 */
export async function findPortalSession(stores: Stores, token: string): Promise<OpenPortalSession> {
  const found = await findSessionByToken(stores.db, hashKey(token))
  if (found === undefined) throw INVALID_SESSION
  const { session, share } = found
  const now = stores.clock.now()
  if (share !== null && isEnded(share, now)) throw SHARE_ENDED
  const usedAt = session.last_used_at ?? session.created_at
  if (session.expires_at <= now || after(usedAt, IDLE_MS) <= now) throw INVALID_SESSION
  const scope = await enterLivePerson(stores, session)
  if (scope === undefined) throw INVALID_SESSION
  if (after(usedAt, RENEWAL_MS) <= now) {
    await sessions.setLastUsed(scope, session.id, now)
    if (share !== null) await setShareUsed(scope, share.id, now)
  }
  return { session, share, scope }
}

/** Returns what a browser may know about its session. */
export async function toPortalAccess({
  session,
  share,
  scope,
}: OpenPortalSession): Promise<PortalAccess> {
  const { settings, kind, teamId } = scope.environment
  const isOfPerson = share === null
  const [team, user, requested] = await Promise.all([
    getClientFacingTeam(scope, teamId),
    findUserZone(scope, session.user_id),
    isOfPerson ? findErasureRequest(scope, session.user_id) : undefined,
  ])
  return {
    team: {
      name: settings.brand_information?.company_name ?? team.name,
      logo_url: settings.logo_url,
      brand_color: settings.brand_information?.brand_color ?? null,
    },
    environment: kind,
    language: session.language as PortalAccess['language'],
    order_id: session.order_id,
    share: share && {
      label: share.label,
      kinds: share.kinds,
      expires_at: formatInstant(share.expires_at),
    },
    time_zone: user?.fallback_time_zone ?? 'UTC',
    erasure_requested_at: requested === undefined ? null : formatInstant(requested),
    expires_at: formatInstant(session.expires_at),
  }
}

/** Ends the session of a browser. */
export async function endOwnSession({ session, scope }: OpenPortalSession): Promise<void> {
  await sessions.deleteSessions(scope, session.user_id, session.id)
}

/** Returns links and sessions that have not ended, the newest first. @throws AppError 404 */
export async function listPortalSessions(
  scope: Scope,
  userId: string,
): Promise<{ data: PortalSession[] }> {
  const user = await getUserRow(scope, userId)
  const now = scope.clock.now()
  const rows = await sessions.listSessions(scope, user.id, now)
  const isLive = ({ last_used_at: usedAt }: sessions.PortalSessionRow) =>
    usedAt === null || after(usedAt, IDLE_MS) > now
  return { data: rows.filter(isLive).map(toSession) }
}

/** Ends a link or session of a person. @throws AppError 404 */
export async function endPortalSession(scope: Scope, userId: string, id: string): Promise<void> {
  const user = await getUserRow(scope, userId)
  const ended = await scope.transaction((tx) =>
    sessions.deleteSessions(tx, user.id, id.toLowerCase()),
  )
  if (ended === 0) throw notFound('Session')
}

/** Ends all links and sessions of a person, except those of shares. @throws AppError 404 */
export async function endPortalSessions(scope: Scope, userId: string): Promise<{ ended: number }> {
  const user = await getUserRow(scope, userId)
  return { ended: await scope.transaction((tx) => sessions.deleteSessions(tx, user.id)) }
}

const instant = (at: Date | null): string | null => at && formatInstant(at)

const toSession = (row: sessions.PortalSessionRow): PortalSession => ({
  id: row.id,
  status: row.code_hash === null ? 'active' : 'unused',
  share_id: row.share_id,
  created_at: formatInstant(row.created_at),
  started_at: instant(row.started_at),
  last_used_at: instant(row.last_used_at),
  expires_at: formatInstant(row.expires_at),
})
