import { conflict, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import * as repository from './legal-holds.repository.ts'
import type { LegalHold, LegalHoldCreate, LegalHoldQuery } from './legal-holds.schema.ts'

/** Maximum number of holds in a list; filters find further ones. */
const MOST_LISTED = 500

/**
 * Places a hold on a user, also on a deleted one whose erasure has not begun.
 * @param by Id of the key that places it, for the record.
 * @throws AppError 404 for the user; 409 `legal_hold`, `erasure_begun`
 */
export function placeHold(
  scope: Scope,
  { user_id, reason }: LegalHoldCreate,
  by: string | null,
): Promise<LegalHold> {
  const userId = user_id.toLowerCase()
  return scope.transaction(async (tx) => {
    // Retention holds this lock while it removes old data.
    await repository.lockHolds(tx)
    if (!(await repository.lockPerson(tx, userId))) throw notFound('User')
    if (await repository.hasErasureBegun(tx, userId)) {
      throw conflict('erasure_begun', 'The erasure of the user has begun.')
    }
    const placed_at = tx.clock.now()
    const hold = { id: newId(), user_id: userId, reason, placed_at, placed_by: by }
    const row = await repository.insertHold(tx, hold)
    if (row === undefined) throw conflict('legal_hold', 'The user is already under a legal hold.')
    return toHold(row)
  })
}

/** Releases a hold; one that was already released does not change. @throws AppError 404 */
export function releaseHold(scope: Scope, id: string, by: string | null): Promise<LegalHold> {
  return scope.transaction(async (tx) => {
    const row = await repository.releaseHold(tx, id.toLowerCase(), { at: tx.clock.now(), by })
    if (row === undefined) throw notFound('Legal hold')
    return toHold(row)
  })
}

/** Returns the newest holds of an environment or of one user, at most `MOST_LISTED`. */
export async function showHolds(
  scope: Scope,
  { user_id, is_active: isActive }: LegalHoldQuery,
): Promise<{ data: LegalHold[] }> {
  const filter = { userId: user_id?.toLowerCase(), isActive }
  return { data: (await repository.listHolds(scope, filter, MOST_LISTED)).map(toHold) }
}

/**
 * Guards code that removes data of a user: until the transaction of the scope ends, no hold can be
 * placed.
 * @throws AppError 409 `legal_hold`
 */
export async function refuseHeldPerson(scope: RowScope, userId: string): Promise<void> {
  if (!(await repository.isHeld(scope, userId))) return
  throw conflict(
    'legal_hold',
    'The user is under a legal hold, so none of their data may be removed.',
  )
}

function toHold(row: repository.LegalHoldRow): LegalHold {
  const { id, user_id, reason, placed_at, placed_by, released_at, released_by } = row
  return {
    id,
    user_id,
    reason,
    placed_at: formatInstant(placed_at),
    placed_by,
    released_at: released_at && formatInstant(released_at),
    released_by,
  }
}
