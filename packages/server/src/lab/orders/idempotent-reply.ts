import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import {
  type IdempotencyHeaders,
  readIdempotencyHeaders,
  sendStored,
} from '../../platform/idempotency/idempotent-reply.ts'
import { runIdempotently } from '../../platform/idempotency/idempotent-request.ts'
import type { Scope, TransactionScope } from '../../platform/scope.ts'
import type { PostOrderResponse } from './orders.schema.ts'
import { requireUser } from './placing/prepare-order.service.ts'

const DAY_MS = 86_400_000

/**
 * What was answered about a person who was deleted since is answered no more, as if the request came
 * without a key.
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
 * Does the work of an ordering endpoint in one transaction, once for all requests of a key when the
 * request names one (docs/contract/11-orders.md#idempotency-of-ordering).
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
  const once = { endpoint, ...headers, body, retentionMs: DAY_MS, at: scope.clock.now() }
  const answer = await runIdempotently(scope, once, work)
  if (answer.isReplayed) await refuseOfDeleted(scope, body, answer)
  return sendStored(reply, answer)
}
