import type { FastifyInstance } from 'fastify'

/**
 * What a request does, in words, by its method and the pattern of its route; null for one that is
 * not served.
 */
export type DescribeAction = (method: string, route: string) => string | null

/** Words that a summary of a route which reads begins with, where it says what it does. */
const VERBS = /^(Read|List|Get|Find|Search|Tell|Follow|Download|Check|Begin|End)\b/

/** Takes the words from the summaries of all routes that are registered after it. */
export function registerRouteActions(app: FastifyInstance): void {
  const actions = new Map<string, string>()
  app.addHook('onRoute', ({ method, url, schema }) => {
    const { summary } = (schema ?? {}) as { summary?: string }
    if (summary === undefined) return
    for (const name of [method].flat()) actions.set(`${name} ${url}`, toAction(name, summary))
  })
  app.decorate('describeAction', (method, route) => actions.get(`${method} ${route}`) ?? null)
}

/** What a summary tells of the answer, beside what is done. */
const ABOUT_ANSWER = /;.*$|, (newest|oldest) first$/

function toAction(method: string, summary: string): string {
  const action = summary.replace(ABOUT_ANSWER, '')
  if (method !== 'GET' || VERBS.test(action)) return action
  return `Read ${action.charAt(0).toLowerCase()}${action.slice(1)}`
}
