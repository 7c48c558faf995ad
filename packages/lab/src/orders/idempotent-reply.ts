import { findStoredUserId } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import {
  type IdempotencyHeaders,
  readIdempotencyHeaders,
  sendStored,
} from '@salus/kernel/idempotency/idempotent-reply'
import { runIdempotently } from '@salus/kernel/idempotency/idempotent-request'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { OrderCreateOrReplace } from './order-requests.schema.ts'
import type { PostOrderResponse } from './orders.schema.ts'
import { requireUser } from './placing/prepare-order.service.ts'
import { findUserOfOrder } from './show-orders.service.ts'

type AskedOrder = Pick<OrderCreateOrReplace, 'user_id' | 'recreate_from_order_id'>

/**
 * Returns the person of an order request; for a replacement without a user, that of the replaced
 * order.
 */
async function findPersonOf(
  scope: Scope,
  { user_id: userId, recreate_from_order_id: parentId }: AskedOrder,
): Promise<string | null> {
  if (userId !== undefined) return findStoredUserId(scope, userId)
  return parentId ? findUserOfOrder(scope, parentId.toLowerCase()) : null
}

/**
 * Refuses a stored response about a person who was deleted since, as a request without a key is
 * refused.
 * @throws AppError 404 `user_not_found`
 */
async function refuseOfDeleted(
  scope: Scope,
  body: unknown,
  answer: { status: number; body: string },
): Promise<void> {
  const { user_id: askedId } = body as { user_id?: string }
  const answered = answer.status === 200 ? (JSON.parse(answer.body) as PostOrderResponse) : null
  const userIds = [answered?.order.user_id, askedId].filter((id) => id !== undefined)
  for (const userId of userIds) await requireUser(scope, userId)
}

/**
 * Runs an ordering endpoint in one transaction, once for all requests with the same idempotency key
 * (docs/contract/11-orders.md#idempotency-of-ordering).
 */
export async function replyIdempotently(
  scope: Scope,
  endpoint: string,
  request: FastifyRequest<{ Headers: Static<typeof IdempotencyHeaders> }>,
  reply: FastifyReply,
  work: (tx: TransactionScope) => Promise<unknown>,
): Promise<unknown> {
  const headers = readIdempotencyHeaders(request.headers)
  if (headers === undefined) return scope.transaction(work)
  const { body } = request
  const userId = await findPersonOf(scope, body as AskedOrder)
  const once = { endpoint, ...headers, body, userId, retentionMs: DAY_MS, at: scope.clock.now() }
  const answer = await runIdempotently(scope, once, work)
  if (answer.isReplayed) await refuseOfDeleted(scope, body, answer)
  return sendStored(reply, answer)
}
