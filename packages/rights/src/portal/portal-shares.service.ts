import { getUserRow } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import { hashKey, randomSecret } from '@salus/kernel/crypto/keys'
import { badRequest, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import type { NewPortalShare, PortalShare, PortalShareCreate } from './portal.schema.ts'
import { isEnded, SHARE_SECRET } from './portal-sessions.service.ts'
import * as shares from './portal-shares.repository.ts'
import { SHARED_KINDS } from './shared-kinds.registry.ts'

/** Maximum number of shares of a person that have not ended. */
const MOST_SHARES = 50

/**
 * Creates a link by which another person can read some kinds of data of a person.
 * @throws AppError 400 `too_many_shares`
 */
export async function createShare(
  scope: Scope,
  userId: string,
  { label, kinds, expires_in_days: days }: PortalShareCreate,
  baseUrl: string,
): Promise<NewPortalShare> {
  const now = scope.clock.now()
  const secret = `${SHARE_SECRET}${randomSecret()}`
  const row = await scope.transaction(async (tx) => {
    const known = await shares.listShares(tx, userId)
    if (known.filter((share) => !isEnded(share, now)).length >= MOST_SHARES) {
      throw badRequest('too_many_shares', 'The person has the most shares allowed. Revoke one.')
    }
    return shares.insertShare(tx, {
      ...{ user_id: userId, id: newId(), secret_hash: hashKey(secret), label: label.trim() },
      kinds: SHARED_KINDS.filter((kind) => kinds.includes(kind)),
      ...{ created_at: now, expires_at: new Date(now.getTime() + days * DAY_MS) },
    })
  })
  return { ...toShare(row, now), url: `${baseUrl}/me#code=${secret}` }
}

/** Returns the shares of a person, the newest first. @throws AppError 404 */
export async function listPortalShares(
  scope: Scope,
  userId: string,
): Promise<{ data: PortalShare[] }> {
  const user = await getUserRow(scope, userId)
  const now = scope.clock.now()
  const rows = await shares.listShares(scope, user.id)
  return { data: rows.map((row) => toShare(row, now)) }
}

/** Revokes a share at once, also for browsers that show it. @throws AppError 404 */
export async function revokePortalShare(
  scope: Scope,
  userId: string,
  shareId: string,
): Promise<PortalShare> {
  const user = await getUserRow(scope, userId)
  const now = scope.clock.now()
  return scope.transaction(async (tx) => {
    const row = await shares.revokeShare(tx, user.id, shareId.toLowerCase(), now)
    if (row === undefined) throw notFound('Share')
    return toShare(row, now)
  })
}

function toShare(row: shares.PortalShareRow, now: Date): PortalShare {
  return {
    id: row.id,
    label: row.label,
    kinds: row.kinds,
    status: row.revoked_at !== null ? 'revoked' : row.expires_at <= now ? 'expired' : 'active',
    created_at: formatInstant(row.created_at),
    expires_at: formatInstant(row.expires_at),
    revoked_at: row.revoked_at && formatInstant(row.revoked_at),
    last_used_at: row.last_used_at && formatInstant(row.last_used_at),
  }
}
