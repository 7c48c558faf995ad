import { TextEnum } from '@salus/contracts/schema-types'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { IdempotentRequest, IdempotentResponse } from './idempotent-request.ts'

export const IdempotencyHeaders = Type.Object({
  'x-idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  'x-idempotency-error': Type.Optional(TextEnum(['no-cache'])),
})

/** Reads the idempotency headers of a request; undefined when they name no key. */
export function readIdempotencyHeaders(
  headers: Type.Static<typeof IdempotencyHeaders>,
): Pick<IdempotentRequest, 'key' | 'storesOnlySuccess'> | undefined {
  const { 'x-idempotency-key': key, 'x-idempotency-error': errors } = headers
  return key === undefined ? undefined : { key, storesOnlySuccess: errors === 'no-cache' }
}

/** Sends a stored answer as it was; it passed through the schema of the answer the first time. */
export function sendStored(reply: FastifyReply, answer: IdempotentResponse): FastifyReply {
  if (answer.isReplayed) reply.header('x-idempotency-replayed', 'true')
  reply.code(answer.status).type('application/json; charset=utf-8')
  return reply.serializer((text) => text as string).send(answer.body)
}
