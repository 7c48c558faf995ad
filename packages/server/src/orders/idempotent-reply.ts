import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerOnce } from '../platform/idempotency/answer-once.ts'
import type { Db } from '../platform/postgres/database.ts'
import type { OrdersContext } from './orders.context.ts'

const DAY_MS = 86_400_000

interface KeyHeaders {
  'x-idempotency-key'?: string | undefined
  'x-idempotency-error'?: string | undefined
}

/**
 * Does the work of an ordering endpoint in one transaction, once for all requests of a key when the
 * request names one (contract 11, "Idempotency of ordering").
 */
export async function replyOnce(
  context: OrdersContext,
  endpoint: string,
  request: FastifyRequest<{ Headers: KeyHeaders }>,
  reply: FastifyReply,
  work: (transaction: Db) => Promise<unknown>,
): Promise<unknown> {
  const { db, clock, tenant } = context
  const { 'x-idempotency-key': key, 'x-idempotency-error': errors } = request.headers
  if (key === undefined) return db.transaction().execute(work)
  const asked = {
    db,
    environmentId: tenant.environmentId,
    endpoint,
    key,
    question: request.body,
    storesOnlySuccess: errors === 'no-cache',
    retentionMs: DAY_MS,
    at: clock.now(),
  }
  const answer = await answerOnce(asked, work)
  if (answer.isReplayed) reply.header('x-idempotency-replayed', 'true')
  // What was stored goes out as it was; it passed through the schema of the answer the first time.
  reply.code(answer.status).type('application/json; charset=utf-8')
  return reply.serializer((text) => text as string).send(answer.body)
}
