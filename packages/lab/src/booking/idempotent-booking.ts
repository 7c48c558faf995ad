import { DAY_MS } from '@salus/contracts/time-units'
import {
  type IdempotencyHeaders,
  readIdempotencyHeaders,
  sendStored,
} from '@salus/kernel/idempotency/idempotent-reply'
import { runClaimed } from '@salus/kernel/idempotency/idempotent-request'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { findUserOfOrder, getOrderRow } from '../orders/index.ts'
import type { BookingRequest } from './booking.schema.ts'
import type { BookingParts } from './booking-parts.ts'
import { bookSite } from './commands/book-site.service.ts'

const ENDPOINT = 'POST /v3/order/{order_id}/psc/appointment/book'
/** docs/contract/14-appointments-and-psc.md#limits */
const RETENTION_MS = 14 * DAY_MS

/**
 * Books a slot at a site, once for all requests with the same idempotency key. A stored response
 * about a person who was deleted since is not returned again.
 */
export async function replyToBooking(
  parts: BookingParts,
  request: FastifyRequest<{
    Params: { order_id: string }
    Headers: Static<typeof IdempotencyHeaders>
    Body: BookingRequest
  }>,
  reply: FastifyReply,
): Promise<unknown> {
  const { scope, body, params } = request
  const orderId = params.order_id.toLowerCase()
  const headers = readIdempotencyHeaders(request.headers)
  if (headers === undefined) return bookSite(scope, parts, orderId, body)
  const at = scope.clock.now()
  const asked = { orderId, ...body }
  const userId = await findUserOfOrder(scope, orderId)
  const once = {
    endpoint: ENDPOINT,
    ...headers,
    body: asked,
    userId,
    retentionMs: RETENTION_MS,
    at,
  }
  const answer = await runClaimed(scope, once, (storeAnswer) =>
    bookSite(scope, parts, orderId, body, storeAnswer),
  )
  if (answer.isReplayed) await getOrderRow(scope, orderId)
  return sendStored(reply, answer)
}
