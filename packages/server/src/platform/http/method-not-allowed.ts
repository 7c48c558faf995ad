import type { FastifyInstance } from 'fastify'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { AppError, notFound } from '../errors.ts'
import { errorBody } from './error-handler.ts'

/** Of both routers. A client_user_id of 255 characters must fit, and what clients put around it. */
export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 1024 }

/**
 * Answers 405 with `Allow` where the address exists under another method, 404 where it does not. A
 * second router learns every route, because the framework only finds routes of the method asked for.
 */
export function registerNotFound(app: FastifyInstance): void {
  const routers = new Map<string, ReturnType<typeof FindMyWay>>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) {
      const router = routers.get(name) ?? FindMyWay(ROUTER_OPTIONS)
      routers.set(name, router)
      // One pattern may be registered with and without its slash.
      if (!router.hasRoute('GET', url)) router.on('GET', url, () => undefined)
    }
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    const allowed = [...routers.entries()]
      .filter(([, router]) => router.find('GET' as HTTPMethod, path) !== null)
      .map(([method]) => method)
    if (allowed.length === 0) return reply.code(404).send(errorBody(notFound('Route')))
    const error = new AppError(
      405,
      'method_not_allowed',
      'This address does not take the method of the request.',
    )
    return reply.code(405).header('allow', allowed.join(', ')).send(errorBody(error))
  })
}
