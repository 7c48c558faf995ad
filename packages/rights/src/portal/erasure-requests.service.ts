import { isHeld } from '@salus/accounts/legal-holds'
import { endTasks, findOpenTask, openTask } from '@salus/accounts/tasks'
import type { UserParts } from '@salus/accounts/users'
import { notFound } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { requestErasure } from '../erasure/index.ts'
import type { PortalErasureRequest } from './portal.schema.ts'

const KIND = 'erasure_request'

/** Returns when the person asked for the erasure; undefined without an open request. */
export async function findErasureRequest(scope: Scope, userId: string): Promise<Date | undefined> {
  return (await findOpenTask(scope, KIND, userId))?.opened_at
}

/**
 * Asks the team to erase a person, by a task. With the setting `portal_erasure_at_once` the erasure
 * is scheduled instead, unless a legal hold forbids it. A second request changes nothing.
 */
export function requestOwnErasure(
  scope: Scope,
  userParts: UserParts,
  userId: string,
): Promise<PortalErasureRequest> {
  const isAtOnce = scope.environment.settings.portal_erasure_at_once
  return scope.transaction(async (tx) => {
    if (isAtOnce && !(await isHeld(tx, userId))) {
      const { requested_at } = await requestErasure(tx, userParts, userId)
      return { status: 'scheduled', requested_at }
    }
    await openTask(tx, { kind: KIND, focus: { type: 'user', id: userId }, userId })
    const at = await findErasureRequest(tx, userId)
    if (at === undefined) throw new Error('The task of an erasure request was not opened.')
    return { status: 'requested', requested_at: formatInstant(at) }
  })
}

/** Withdraws a request that the team has not carried out. @throws AppError 404 without one */
export async function withdrawErasureRequest(scope: Scope, userId: string): Promise<void> {
  await scope.transaction(async (tx) => {
    if ((await findErasureRequest(tx, userId)) === undefined) throw notFound('Request')
    await endTasks(tx, [KIND], [userId], 'cancelled')
  })
}
