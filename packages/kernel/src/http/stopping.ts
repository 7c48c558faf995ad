import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

const STOPPING = new AppError(
  503,
  'shutting_down',
  'The server is shutting down. Try again in a moment.',
)

/** Whether the process is about to end. */
export interface EndOfProcess {
  /** Whether new requests are refused. */
  isStopping: () => boolean
  /**
   * Whether readiness answers 503 while everything is still served, until load balancers have
   * noticed.
   */
  isDraining?: () => boolean
}

/**
 * Answers requests on open connections with 503 while the process stops, in the form of
 * docs/contract/01-conventions.md#body-shapes, and ends those connections; requests in flight are
 * completed. Liveness and readiness are answered all the same. While the process drains, requests
 * are answered as usual, and their connections end so that the next ones go elsewhere.
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
