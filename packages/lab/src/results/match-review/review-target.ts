import { findUser } from '@salus/accounts/users'
import { type InputError, invalidInput, notFoundCode } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { findOrder, type OrderRow } from '../../orders/index.ts'
import type { CandidateOrder } from '../matching/candidate-order.ts'
import type { AcceptUnmatchedResult } from './match-review.schema.ts'

/** The target of an accept: an order, or a person without a matching order. */
export interface ReviewTarget {
  userId: string
  order: OrderRow | null
}

/**
 * Returns the order or person that an accept names
 * (docs/contract/13-results.md#post-v3unmatched_resultraw_result_idaccept).
 * @param orders those that the result may belong to
 * @throws AppError 404 for unknown ids; 422 when the order is not the user's, or when nothing is
 *   named and several are possible
 */
export async function findReviewTarget(
  scope: Scope,
  orders: readonly CandidateOrder[],
  { user_id: givenUserId, order_id: orderId }: AcceptUnmatchedResult,
): Promise<ReviewTarget> {
  const userId = givenUserId?.toLowerCase() ?? null
  if (userId !== null && (await findUser(scope, userId)) === undefined) {
    throw notFoundCode('user_not_found')
  }
  if (orderId) {
    const order = await findOrder(scope, orderId)
    if (order === undefined || order.is_hidden) throw notFoundCode('order_not_found')
    if (userId !== null && order.user_id !== userId) throw NOT_OF_USER
    return { userId: order.user_id, order }
  }
  const possible = userId === null ? orders : orders.filter(({ row }) => row.user_id === userId)
  if (possible.length === 0 && userId !== null) return { userId, order: null }
  const order = defaultTargetOrder(possible)
  if (order === undefined) throw userId === null ? NOT_CLEAR : NOT_CLEAR_OF_USER
  return { userId: order.user_id, order }
}

const NOT_OF_USER = invalidInput(
  ['body', 'order_id'],
  'The order does not belong to the user',
  'order_of_other_user',
)
const notClear = (field: string): InputError =>
  invalidInput(['body', field], 'The target is not certain; give it', 'ambiguous')
const NOT_CLEAR = notClear('user_id')
const NOT_CLEAR_OF_USER = notClear('order_id')

/**
 * Returns the only possible order: that of the sample, else the only one that can receive the
 * result, else the only one. Undefined when orders of several people match.
 */
export function defaultTargetOrder(orders: readonly CandidateOrder[]): OrderRow | undefined {
  if (new Set(orders.map(({ row }) => row.user_id)).size !== 1) return undefined
  const provenance = orders.find(({ isProvenance }) => isProvenance)
  if (provenance !== undefined) return provenance.row
  const receiving = orders.filter(({ canReceive }) => canReceive)
  const [only, ...others] = receiving.length > 0 ? receiving : orders
  return others.length === 0 ? only?.row : undefined
}
