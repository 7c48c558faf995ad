import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const STOPPING = new AppError(
  503,
  'shutting_down',
  'The server is shutting down. Try again in a moment.',
)

/**
 * Answers requests that come on open connections while the process stops with 503 in the body of
 * docs/contract/01-conventions.md#body-shapes, and ends those connections; requests that were there
 * before go on to their end. Liveness and readiness are told all the same.
 */
export function registerStopping(app: FastifyInstance, isStopping: () => boolean): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (!isClosing && !isStopping()) return done()
    reply.header('connection', 'close')
    if (request.routeOptions.config.isServedWhileStopping) return done()
    done(STOPPING)
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers also while the process stops. */
    isServedWhileStopping?: boolean
  }
}
