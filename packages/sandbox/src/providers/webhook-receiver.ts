import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Path of receivers of webhooks below a base URL. */
export const RECEIVER_PATH = '/sandbox/receiver'

const MOST_BODY_BYTES = 16 * 1024 * 1024
const SLOW_MS = 4_000

/**
 * Behavior of a receiver, by the last part of its path (docs/sandbox.md#a-receiver-of-webhooks).
 */
const ANSWERS: Record<string, (attemptedAt: number) => Promise<[status: number, body: string]>> = {
  ok: async () => [200, 'thank you'],
  slow: async () => {
    await sleep(SLOW_MS)
    return [200, 'that took a while']
  },
  failing: async () => [500, 'the database of this receiver is away'],
  // A further attempt comes at another second.
  moody: async (attemptedAt) => (attemptedAt % 3 === 0 ? [503, 'try again later'] : [200, '']),
}

/** Emulates the software of a customer that receives webhooks. */
export function registerWebhookReceiver(app: FastifyInstance): void {
  const options = { bodyLimit: MOST_BODY_BYTES }
  app.post<{ Params: { name: string } }>(
    `${RECEIVER_PATH}/:name`,
    options,
    async (request, reply) => {
      const answer = ANSWERS[request.params.name]
      if (answer === undefined) return reply.callNotFound()
      const [status, body] = await answer(Number(request.headers['webhook-timestamp']))
      return reply.status(status).type('text/plain').send(body)
    },
  )
}
