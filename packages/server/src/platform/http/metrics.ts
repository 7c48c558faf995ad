import type { FastifyInstance } from 'fastify'
// Brings the `hide` of route schemas into the types.
import '@fastify/swagger'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { protectPage } from './operator-pages.ts'

/** Prometheus metrics of one process; labels hold route patterns, never addresses or ids. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const DURATION = 'salus_http_request_duration_seconds'

function makeDuration(registry: Registry) {
  return new Histogram({
    name: DURATION,
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
}

/**
 * Times every answered request, and where metrics are offered serves them at `/metrics`, behind the key if there
 * is one.
 */
export function registerMetrics(
  app: FastifyInstance,
  registry: Registry,
  { metricsOffered, metricsKey }: { metricsOffered: boolean; metricsKey: string | undefined },
): void {
  // Applications of one process share its metrics.
  const known = registry.getSingleMetric(DURATION) as ReturnType<typeof makeDuration> | undefined
  const duration = known ?? makeDuration(registry)
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const labels = { method: request.method, route, status: reply.statusCode }
    duration.observe(labels, reply.elapsedTime / 1000)
  })
  if (!metricsOffered) return
  app.get(
    '/metrics',
    {
      schema: { hide: true },
      config: { produces: ['text/plain'], isServedWhileStopping: true },
      ...protectPage(metricsKey),
    },
    async (_request, reply) => {
      reply.type(registry.contentType)
      return registry.metrics()
    },
  )
}
