import type { FastifyReply, FastifyRequest } from 'fastify'
import { runIdempotently } from '../../platform/idempotency/idempotent-request.ts'
import type { Scope, TransactionScope } from '../../platform/scope.ts'
import type { PostOrderResponse } from './orders.schema.ts'
import { requireUser } from './placing/prepare-order.service.ts'

const DAY_MS = 86_400_000

interface KeyHeaders {
  'x-idempotency-key'?: string | undefined
  'x-idempotency-error'?: string | undefined
}

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
  request: FastifyRequest<{ Headers: KeyHeaders }>,
  reply: FastifyReply,
  work: (tx: TransactionScope) => Promise<unknown>,
): Promise<unknown> {
  const { 'x-idempotency-key': key, 'x-idempotency-error': errors } = request.headers
  if (key === undefined) return scope.transaction(work)
  const once = {
    endpoint,
    key,
    body: request.body,
    storesOnlySuccess: errors === 'no-cache',
    retentionMs: DAY_MS,
    at: scope.clock.now(),
  }
  const answer = await runIdempotently(scope, once, work)
  if (answer.isReplayed) {
    await refuseOfDeleted(scope, request.body, answer)
    reply.header('x-idempotency-replayed', 'true')
  }
  // What was stored goes out as it was; it passed through the schema of the answer the first time.
  reply.code(answer.status).type('application/json; charset=utf-8')
  return reply.serializer((text) => text as string).send(answer.body)
}
