import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const STOPPING = new AppError(
  503,
  'shutting_down',
  'The server is shutting down. Try again in a moment.',
)

/** Whether the process is about to end. */
export interface EndOfProcess {
  /** Nothing new is taken. */
  isStopping: () => boolean
  /** Readiness says no, and everything is served still, until those who ask have heard of it. */
  isDraining?: () => boolean
}

/**
 * Answers requests that come on open connections while the process stops with 503 in the body of
 * docs/contract/01-conventions.md#body-shapes, and ends those connections; requests that were there
 * before go on to their end. Liveness and readiness are told all the same. While it drains,
 * requests are answered as ever, and their connections end so that the next ones go elsewhere.
 */
export function registerStopping(
  app: FastifyInstance,
  { isStopping, isDraining = () => false }: EndOfProcess,
): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onRequest', (request, reply, done) => {
    const isOver = isClosing || isStopping()
    if (!isOver && !isDraining()) return done()
    reply.header('connection', 'close')
    if (!isOver) return done()
    if (request.routeOptions.config.isServedWhileStopping) return done()
    done(STOPPING)
  })
}
