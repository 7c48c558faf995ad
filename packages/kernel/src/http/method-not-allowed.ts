import type { FastifyInstance, RouteOptions } from 'fastify'
import FindMyWay, { type HTTPMethod } from 'find-my-way'
import { AppError, notFound } from '../errors.ts'
import { errorBody } from './error-handler.ts'

/**
 * Options of both routers. A client_user_id of 255 characters must fit, with the characters that
 * clients put around it.
 */
export const ROUTER_OPTIONS = { ignoreTrailingSlash: true, maxParamLength: 1024 }

/** Values that a path parameter may have, where it has a list of them. */
type Choices = [name: string, values: readonly string[]][]

function choicesOf({ schema }: RouteOptions): Choices {
  const { properties = {} } = (schema?.params ?? {}) as {
    properties?: Record<string, { enum?: string[] }>
  }
  return Object.entries(properties).flatMap(
    ([name, { enum: values }]): Choices => (values === undefined ? [] : [[name, values]]),
  )
}

/**
 * Answers 405 with `Allow` where the address exists with another method, and 404 where it does not.
 * A second router has every route, because the framework only finds routes of the requested method.
 * An address whose parameter has none of its allowed values does not exist: `DELETE
 * /v2/user/{id}/{provider}` does not make an address of everything under a user.
 */
export function registerNotFound(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  let routers: Map<string, Router> | undefined

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    // Built at the first unknown address, because it takes as long as registering the routes.
    routers ??= makeRouters(routes)
    const allowed = [...routers.entries()]
      .filter(([, router]) => hasAddress(router, path))
      .map(([method]) => method)
    if (allowed.length === 0) return reply.code(404).send(errorBody(notFound('Route')))
    const error = new AppError(
      405,
      'method_not_allowed',
      'The path does not support the method of the request.',
    )
    return reply.code(405).header('allow', allowed.join(', ')).send(errorBody(error))
  })
}

type Router = ReturnType<typeof FindMyWay>

/** Returns one router for each method, with its addresses. */
function makeRouters(routes: readonly RouteOptions[]): Map<string, Router> {
  const routers = new Map<string, Router>()
  for (const route of routes) {
    for (const name of [route.method].flat()) {
      const router = routers.get(name) ?? FindMyWay(ROUTER_OPTIONS)
      routers.set(name, router)
      // One pattern may be registered with and without its slash.
      if (router.hasRoute('GET', route.url)) continue
      router.on('GET', route.url, () => undefined, choicesOf(route))
    }
  }
  return routers
}

function hasAddress(router: Router, path: string): boolean {
  const found = router.find('GET' as HTTPMethod, path)
  if (found === null) return false
  return (found.store as Choices).every(([name, values]) =>
    values.includes(found.params[name] ?? ''),
  )
}
