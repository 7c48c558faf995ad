import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Db } from '../postgres/database.ts'
import type { Freshness, Replicas } from '../postgres/replicas/replicas.ts'
import type { App } from './app-types.ts'

type Hooks = Extract<RouteOptions['preHandler'], unknown[]>

/**
 * Lets operations read from replicas. They are chosen after authentication, for a request as a
 * whole; transactions stay on the primary. Call it before the routes are registered.
 * @param operations The freshness that they need, by their `operationId`
 */
export function registerReplicaReads(
  app: App,
  { db, replicas }: { db: Db; replicas?: Pick<Replicas, 'choose'> | undefined },
  operations: Readonly<Record<string, Freshness>>,
): void {
  const chosen = new WeakMap<FastifyRequest, Db>()
  app.decorateRequest('readDb', {
    getter() {
      return chosen.get(this) ?? db
    },
  })
  if (replicas === undefined) return
  app.addHook('onRoute', (route) => {
    const { operationId = '' } = route.schema ?? {}
    const freshness = operations[operationId]
    if (freshness === undefined) return
    const given = [route.preHandler ?? []].flat() as Hooks
    route.preHandler = [
      ...given,
      async (request) => {
        const readDb = await replicas.choose(freshness)
        if (readDb === db) return
        chosen.set(request, readDb)
        if (request.scope !== undefined) request.scope = { ...request.scope, db: readDb }
      },
    ]
  })
}
