import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Tells a client what is odd about a request that is answered all the same. */
export const WARNING_HEADER = 'x-salus-warning'

/** Adds a warning to those that the answer has. The text holds what a header can hold. */
export function addWarning(reply: FastifyReply, text: string): void {
  const former = reply.getHeader(WARNING_HEADER)
  reply.header(WARNING_HEADER, former === undefined ? text : `${former}; ${text}`)
}

/** Names told; the rest are counted. */
const MOST_NAMES = 5

/** What a header can hold, and short enough for one. Other names are counted, never repeated. */
const PLAIN_NAME = /^[\w.-]{1,40}$/

/** Parameters of a route, found with its first request that has any. */
const knownNames = new WeakMap<object, ReadonlySet<string>>()

function namesOf(schema: object): ReadonlySet<string> {
  const known = knownNames.get(schema)
  if (known !== undefined) return known
  const { properties = {} } = schema as { properties?: object }
  const names = new Set(Object.keys(properties))
  knownNames.set(schema, names)
  return names
}

const NO_PARAMETERS = {}

function unknownParameters({ query, routeOptions }: FastifyRequest): string[] {
  const given = Object.keys(query as object)
  if (given.length === 0) return given
  const known = namesOf((routeOptions.schema?.querystring as object | undefined) ?? NO_PARAMETERS)
  return given.filter((name) => !known.has(name))
}

function wording(names: readonly string[]): string {
  const shown = names.filter((name) => PLAIN_NAME.test(name)).slice(0, MOST_NAMES)
  const rest = names.length - shown.length
  const parts = [...shown, ...(rest > 0 ? [`${rest} more`] : [])]
  return `unknown query parameter${names.length > 1 ? 's' : ''}: ${parts.join(', ')}`
}

/**
 * Answers a query parameter that the route does not have as if it were not there
 * (docs/contract/01-conventions.md#base-rules), and says so in a header, so that a mistyped one is
 * not taken for one that had no effect. Nothing of it is logged: it is the caller's text.
 */
export function registerQueryWarnings(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.is404 && request.routeOptions.schema?.hide !== true) {
      const names = unknownParameters(request)
      if (names.length > 0) addWarning(reply, wording(names))
    }
    done()
  })
}
