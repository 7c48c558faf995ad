import type { FastifyInstance } from 'fastify'

/**
 * Logs one line for each request: method, route pattern, status, milliseconds. The address itself
 * is left out, because it can contain a customer's own user ids.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const ms = Math.round(reply.elapsedTime * 10) / 10
    request.log.info({ method: request.method, route, status: reply.statusCode, ms }, 'request')
  })
}

/**
 * Returns the request id of the caller when it is plain text of a sensible length, else a new one.
 */
export function requestIdFrom(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}
