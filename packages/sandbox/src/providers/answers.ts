import type { FastifyReply } from 'fastify'
import type { Fault } from './faults.ts'

/** Error answers of a provider. */
export interface Refusals {
  rateLimited(reply: FastifyReply, seconds: number): FastifyReply
  failed(reply: FastifyReply, status: number): FastifyReply
  unauthorized(reply: FastifyReply): FastifyReply
}

/** Longer than the time limit of any client. */
const NO_ANSWER_MS = 180_000

const wait = (ms: number, reply: FastifyReply): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    reply.raw.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Sends JSON text, unless the request has a fault. */
export async function sendJson(
  reply: FastifyReply,
  faults: readonly Fault[],
  refusals: Refusals,
  makeText: () => string,
): Promise<FastifyReply> {
  for (const { kind, milliseconds } of faults) {
    if (kind === 'timeout') await wait(NO_ANSWER_MS, reply)
    if (kind === 'slow') await wait(milliseconds ?? 2_000, reply)
    if (kind === 'rate_limit') {
      return refusals.rateLimited(reply, Math.ceil((milliseconds ?? 60_000) / 1000))
    }
    if (kind === 'server_error' || kind === 'timeout') return refusals.failed(reply, 500)
    if (kind === 'unavailable') return refusals.failed(reply, 503)
    if (kind === 'unauthorized') return refusals.unauthorized(reply)
  }
  const text = makeText()
  const isMalformed = faults.some(({ kind }) => kind === 'malformed')
  return reply
    .type('application/json; charset=utf-8')
    .send(isMalformed ? text.slice(0, Math.ceil(text.length / 2)) : text)
}
