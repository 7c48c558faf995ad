import type { FastifyInstance, RouteOptions } from 'fastify'
import { isRead } from '../audit/audited-requests.ts'
import type { Resource } from './permissions.ts'

/**
 * Returns what a request does, by its method and the pattern of its route; null for a route that
 * does not exist.
 */
export type DescribeAction = (method: string, route: string) => string | null

/**
 * Returns what a request gives access to: the resource of its first permission, null without one,
 * and whether it only reads. Null for a route that does not exist.
 */
export type DescribeAccess = (
  method: string,
  route: string,
) => { resource: Resource | null; isRead: boolean } | null

/** Verbs with which the summary of a reading route begins, so that no verb has to be added. */
const VERBS =
  /^(Read|List|Get|Find|Search|Show|Count|Preview|Explain|Stream|Download|Check|Begin|End)\b/

/** Collects the summaries of all routes that are registered after it. */
export function registerRouteActions(app: FastifyInstance): void {
  const actions = new Map<string, string>()
  const routes = new Map<string, RouteOptions>()
  app.addHook('onRoute', (route) => {
    const { method, url, schema } = route
    const { summary } = (schema ?? {}) as { summary?: string }
    if (summary === undefined) return
    for (const name of [method].flat()) {
      actions.set(`${name} ${url}`, toAction(name, summary))
      routes.set(`${name} ${url}`, route)
    }
  })
  app.decorate('describeAction', (method, route) => actions.get(`${method} ${route}`) ?? null)
  app.decorate('describeAccess', (method, route) => {
    const found = routes.get(`${method} ${route}`)
    if (found === undefined) return null
    // Later hooks have written the permissions.
    const config = found.config ?? {}
    const [resource = null] = config.permissions?.[0]?.split(':') ?? []
    return {
      resource: resource as Resource | null,
      isRead: isRead({ method, routeOptions: { config } }),
    }
  })
}

/** Part of a summary that describes the answer instead of the action. */
const ABOUT_ANSWER = /;.*$|, (newest|oldest) first$/

function toAction(method: string, summary: string): string {
  const action = summary.replace(ABOUT_ANSWER, '')
  if (method !== 'GET' || VERBS.test(action)) return action
  return `Read ${action.charAt(0).toLowerCase()}${action.slice(1)}`
}
