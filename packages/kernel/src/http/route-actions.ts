import type { FastifyInstance } from 'fastify'

/**
 * Returns what a request does, by its method and the pattern of its route; null for a route that
 * does not exist.
 */
export type DescribeAction = (method: string, route: string) => string | null

/** Verbs with which the summary of a reading route begins, so that no verb has to be added. */
const VERBS =
  /^(Read|List|Get|Find|Search|Show|Count|Preview|Explain|Stream|Download|Check|Begin|End)\b/

/** Collects the summaries of all routes that are registered after it. */
export function registerRouteActions(app: FastifyInstance): void {
  const actions = new Map<string, string>()
  app.addHook('onRoute', ({ method, url, schema }) => {
    const { summary } = (schema ?? {}) as { summary?: string }
    if (summary === undefined) return
    for (const name of [method].flat()) actions.set(`${name} ${url}`, toAction(name, summary))
  })
  app.decorate('describeAction', (method, route) => actions.get(`${method} ${route}`) ?? null)
}

/** Part of a summary that describes the answer instead of the action. */
const ABOUT_ANSWER = /;.*$|, (newest|oldest) first$/

function toAction(method: string, summary: string): string {
  const action = summary.replace(ABOUT_ANSWER, '')
  if (method !== 'GET' || VERBS.test(action)) return action
  return `Read ${action.charAt(0).toLowerCase()}${action.slice(1)}`
}
