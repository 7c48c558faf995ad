import type { FastifyInstance } from 'fastify'
import type { EndOfProcess } from './stopping.ts'

/** A part that must answer before requests can be served. */
export interface ReadinessCheck {
  name: string
  check: () => Promise<unknown>
}

const CHECK_TIMEOUT_MS = 2000

async function isAnswering({ check }: ReadinessCheck): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS)
  try {
    return await Promise.race([promise, check().then(() => true)])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Liveness and readiness (docs/contract/01-conventions.md#health-endpoints). Ready means that every
 * store answers, the schemas are up to date, and the process is neither draining nor stopping.
 */
export function registerHealth(
  app: FastifyInstance,
  options: EndOfProcess & { readinessChecks: readonly ReadinessCheck[] },
): void {
  const { readinessChecks, isStopping, isDraining = () => false } = options
  const route = {
    schema: { hide: true },
    config: { isServedWhileStopping: true, isUnlimited: true },
  }
  for (const path of ['/health/live', '/healthz']) {
    app.get(path, route, async () => ({ status: 'ok' }))
  }
  for (const path of ['/health', '/health/ready', '/readyz']) {
    app.get(path, route, async (_request, reply) => {
      const results = await Promise.all(
        readinessChecks.map(
          async (check) => [check.name, (await isAnswering(check)) ? 'ok' : 'down'] as const,
        ),
      )
      const isLeaving = isStopping() || isDraining()
      const isReady = !isLeaving && results.every(([, state]) => state === 'ok')
      if (isReady) return { status: 'ok', stores: Object.fromEntries(results) }
      const status = isLeaving ? 'stopping' : 'unavailable'
      return reply
        .code(503)
        .header('retry-after', '5')
        .send({ status, stores: Object.fromEntries(results) })
    })
  }
}
