import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Scripts and styles of the documentation page are inline; everything comes from this server. */
const CONTENT_SECURITY_POLICY = {
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'", "'unsafe-inline'", "'unsafe-eval'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    // A self-hosted server starts on plain HTTP; turning requests into HTTPS would break the page.
    upgradeInsecureRequests: null,
  },
}

/** Headers of every answer; no HSTS, since a self-hosted server may be reached over plain HTTP. */
export async function registerSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY_POLICY, hsts: false })
}

/**
 * An onRequest hook for every route that needs a key: what it answers is somebody's health data, or a
 * secret, or lists them, and no proxy and no browser shall keep it. Refusals are covered too.
 */
export function forbidStoring(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.header('cache-control', 'no-store')
  done()
}
