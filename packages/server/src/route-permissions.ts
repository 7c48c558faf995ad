import { StartupError } from '@salus/kernel/errors'
import { type Need, permissionsOf } from '@salus/kernel/http/permissions'
import type { FastifyInstance } from 'fastify'
import { NEEDS_OF_OPERATIONS, NEEDS_OF_PATHS } from './route-permissions.registry.ts'

/**
 * Writes the permissions of each route into its configuration, where the hooks that authenticate
 * read them. Call it before the routes: one that is not in the table stops the start.
 */
export function registerRoutePermissions(app: FastifyInstance): void {
  const needs = new Map(
    NEEDS_OF_OPERATIONS.flatMap(([needs, ids]) => ids.split(' ').map((id) => [id, needs] as const)),
  )
  app.addHook('onRoute', (route) => {
    const { operationId, hide, security } = (route.schema ?? {}) as DescribedSchema
    // Pages, probes and preflights, which have no credential.
    const isOpen = operationId === undefined || hide === true
    const found = isOpen ? [] : (needs.get(operationId) ?? needsOfPath(route.url))
    // An operation without a credential needs no entry.
    const wanted = found ?? (security?.length === 0 ? [] : undefined)
    if (wanted === undefined) {
      throw new StartupError(
        `The operation ${operationId} is not in route-permissions.registry.ts, which decides who may use it.`,
      )
    }
    for (const method of [route.method].flat()) {
      const config = route.config ?? {}
      route.config = {
        ...config,
        permissions: permissionsOf(wanted, { method, routeOptions: { config } }),
      }
    }
  })
}

interface DescribedSchema {
  operationId?: string
  hide?: boolean
  security?: unknown[]
}

const needsOfPath = (url: string): readonly Need[] | undefined =>
  NEEDS_OF_PATHS.find(([, path]) => url.startsWith(path))?.[0]
