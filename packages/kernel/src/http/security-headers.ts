import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * An answer of the API is not a page: nothing in it is loaded, run, sent or framed. Pages have
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
 * Returns an onRequest hook for every route that needs a key: its answers contain health data,
 * secrets or lists of them, so no proxy or browser may store them. Errors are covered too.
 */
export function forbidStoring(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.header('cache-control', 'no-store')
  done()
}
