import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
// Brings the `hide` of route schemas into the types.
import '@fastify/swagger'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { forbidden } from '../errors.ts'
import { isAmong, isForwardedByStranger, isLoopback } from './client-networks.ts'
import { protectPage } from './operator-pages.ts'

/** Prometheus metrics of one process; labels hold route patterns, never addresses or ids. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const DURATION = 'salus_http_request_duration_seconds'

/** Time that a metric has to read its values from a store. */
const COLLECT_TIMEOUT_MS = 2_000

/** Time for which all readers share one text, because rendering it blocks the process. */
const TEXT_MS = 5_000

function makeDuration(registry: Registry) {
  return new Histogram({
    name: DURATION,
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    // Few buckets, because each is a series for each method, route and class of status.
    buckets: [0.01, 0.05, 0.25, 1, 5],
    registers: [registry],
  })
}

/**
 * Returns the labels of an answered request. Values that a client can invent, such as paths and
 * methods, create no series: all requests without a route are one series, and only the class of the
 * status is used.
 */
function labelsOf(request: FastifyRequest, { statusCode }: FastifyReply) {
  const route = request.routeOptions.url
  const status = `${Math.trunc(statusCode / 100)}xx`
  if (route === undefined) return { method: 'any', route: 'unknown', status }
  // The framework adds a HEAD route for each GET, which does the same.
  return { method: request.method === 'HEAD' ? 'GET' : request.method, route, status }
}

interface MetricsPage {
  metricsOffered: boolean
  metricsKey: string | undefined
  /** Addresses and networks that need no key. */
  metricsAddresses: readonly string[]
}

/**
 * Measures the time of every answered request and, where metrics are enabled, serves them at
 * `/metrics`: to the machine itself and to the addresses of the setting, or to callers with the key
 * if there is one.
 */
export function registerMetrics(app: FastifyInstance, registry: Registry, page: MetricsPage): void {
  // Applications of one process share its metrics.
  const known = registry.getSingleMetric(DURATION) as ReturnType<typeof makeDuration> | undefined
  const duration = known ?? makeDuration(registry)
  app.addHook('onResponse', async (request, reply) => {
    duration.observe(labelsOf(request, reply), reply.elapsedTime / 1000)
  })
  if (!page.metricsOffered) return
  const findText = shareText(() => renderMetrics(registry))
  app.get(
    '/metrics',
    {
      schema: { hide: true },
      config: { produces: ['text/plain'], isServedWhileStopping: true, isUnlimited: true },
      ...protectMetrics(page),
    },
    async (_request, reply) => {
      reply.type(registry.contentType)
      return findText()
    },
  )
}

/**
 * Reads every metric of a registry by its name. Those whose store does not answer are left out,
 * because the others are needed most while a store is down.
 */
export async function readMetrics<T>(
  registry: Registry,
  read: (name: string) => Promise<T>,
): Promise<T[]> {
  const found = await Promise.allSettled(
    registry.getMetricsAsArray().map(({ name }) => {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new Error('late')), COLLECT_TIMEOUT_MS)
      return Promise.race([read(name), late.promise]).finally(() => clearTimeout(timer))
    }),
  )
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

async function renderMetrics(registry: Registry): Promise<Buffer> {
  const texts = await readMetrics(registry, (name) => registry.getSingleMetricAsString(name))
  return Buffer.from(`${texts.join('\n\n')}\n`)
}

/**
 * Shares one rendering among all requests within TEXT_MS, including those that arrive while it is
 * made.
 */
function shareText(render: () => Promise<Buffer>): () => Promise<Buffer> {
  let madeAt = Number.NEGATIVE_INFINITY
  let text: Promise<Buffer> | undefined
  return () => {
    if (text !== undefined && performance.now() - madeAt < TEXT_MS) return text
    madeAt = performance.now()
    const made = render()
    text = made
    made.catch(() => {
      if (text === made) text = undefined
    })
    return made
  }
}

/**
 * Allows listed addresses without the key; without a key it allows only these and the machine
 * itself.
 */
function protectMetrics({ metricsKey, metricsAddresses }: MetricsPage) {
  const isListed = isAmong(metricsAddresses)
  const { onRequest: requireKey } = protectPage(metricsKey)
  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      // Through a proxy that is not trusted, the address of a request is that of the proxy.
      const isKnown = !isForwardedByStranger(request)
      if (isKnown && isListed(request.ip)) return
      if (requireKey !== undefined) return requireKey(request, reply)
      if (isKnown && isLoopback(request.ip)) return
      throw forbidden('address_not_allowed', 'The client address may not read this page.')
    },
  }
}
