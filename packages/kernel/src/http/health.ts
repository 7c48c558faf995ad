import type { FastifyInstance } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { EndOfProcess } from './stopping.ts'

type StoreState = 'ok' | 'degraded' | 'down'

/** A part that must answer before requests can be served. */
export interface ReadinessCheck {
  name: string
  /** Resolves with `degraded` when some requests fail; rejects when none can be served. */
  check: () => Promise<unknown>
}

/** Shorter than the time that a metric has, so that a store that hangs counts as down there too. */
const CHECK_TIMEOUT_MS = 1500

async function stateOf({ check }: ReadinessCheck): Promise<StoreState> {
  const { promise, resolve } = Promise.withResolvers<'down'>()
  const timer = setTimeout(() => resolve('down'), CHECK_TIMEOUT_MS)
  try {
    const outcome = await Promise.race([promise, check()])
    return outcome === 'down' || outcome === 'degraded' ? outcome : 'ok'
  } catch {
    return 'down'
  } finally {
    clearTimeout(timer)
  }
}

/** Registers whether each store answers this process: 1, or 0 when no request can be served. */
export function registerStoreMetric(registry: Registry, checks: readonly ReadinessCheck[]): void {
  new Gauge({
    name: 'salus_store_up',
    help: 'Whether a store answers this process: 1 or 0.',
    labelNames: ['store'],
    registers: [registry],
    async collect() {
      await Promise.all(
        checks.map(async (check) => {
          this.set({ store: check.name }, (await stateOf(check)) === 'down' ? 0 : 1)
        }),
      )
    },
  })
}

/**
 * Liveness and readiness (docs/contract/01-conventions.md#health-endpoints). Ready means that every
 * store answers, the schemas are up to date, and the process is neither draining nor stopping. A
 * process stays ready with a degraded store, because another process could do no more.
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
        readinessChecks.map(async (check) => [check.name, await stateOf(check)] as const),
      )
      const stores = Object.fromEntries(results)
      const states = new Set(results.map(([, state]) => state))
      const isLeaving = isStopping() || isDraining()
      if (!isLeaving && !states.has('down')) {
        return { status: states.has('degraded') ? 'degraded' : 'ok', stores }
      }
      const status = isLeaving ? 'stopping' : 'unavailable'
      return reply.code(503).header('retry-after', '5').send({ status, stores })
    })
  }
}
