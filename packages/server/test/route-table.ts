import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'

export interface RegisteredRoute {
  method: string
  /** As OpenAPI writes it: `/v2/user/{user_id}`. */
  path: string
  /** Left out of the OpenAPI document. */
  isHidden: boolean
  config: RouteOptions['config']
}

/** The framework announces each new application here, before anything is registered on it. */
const NEW_APPLICATION = 'fastify.initialization'

/** Runs `start` and returns with its result every route that was registered meanwhile. */
export async function collectRoutes<T>(
  start: () => Promise<T>,
): Promise<{ result: T; routes: RegisteredRoute[] }> {
  const routes: RegisteredRoute[] = []
  const add = (route: RouteOptions) => {
    const { method, url, schema } = route
    for (const name of [method].flat()) {
      const path = url.replaceAll(/:(\w+)/g, '{$1}')
      routes.push({
        method: name,
        path,
        isHidden: schema?.hide === true,
        // Hooks of the scope, which come later, set what the route lacks.
        get config() {
          return route.config
        },
      })
    }
  }
  const follow = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', add)
  }
  subscribe(NEW_APPLICATION, follow)
  try {
    return { result: await start(), routes }
  } finally {
    unsubscribe(NEW_APPLICATION, follow)
  }
}
