import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * An answer of the interface is no page: nothing in it is loaded, run, sent or framed. Pages have
 * policies of their own.
 */
const CONTENT_SECURITY_POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
}

/** Headers of every answer; no HSTS, since a self-hosted server may be reached over plain HTTP. */
export async function registerSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, { contentSecurityPolicy: CONTENT_SECURITY_POLICY, hsts: false })
}

/**
 * An onRequest hook for every route that needs a key: what it answers is somebody's health data, or
 * a secret, or lists them, and no proxy and no browser shall keep it. Refusals are covered too.
 */
export function forbidStoring(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.header('cache-control', 'no-store')
  done()
}
