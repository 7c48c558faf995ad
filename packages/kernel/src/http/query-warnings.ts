import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withoutBrackets } from './validation.ts'

/** Header that reports a problem of a request that is answered all the same. */
export const WARNING_HEADER = 'x-salus-warning'

/** Adds a warning to those of the answer. The text has only characters that a header can hold. */
export function addWarning(reply: FastifyReply, text: string): void {
  const former = reply.getHeader(WARNING_HEADER)
  reply.header(WARNING_HEADER, former === undefined ? text : `${former}; ${text}`)
}

/** Maximum number of characters of names in a warning; further names are counted. */
const MOST_CHARACTERS = 2000
const LONGEST_NAME = 60

/** Parameters of a route, collected with its first request that has any. */
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
  return given.filter((name) => !known.has(withoutBrackets(name)))
}

/**
 * Returns a name in the form for a header: other characters percent-encoded, and cut where it is
 * long.
 */
function plainName(name: string): string {
  const plain = encodeURIComponent(name.toWellFormed())
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
  return plain.length > LONGEST_NAME ? `${plain.slice(0, LONGEST_NAME)}...` : plain
}

function wording(names: readonly string[]): string {
  const shown: string[] = []
  let room = MOST_CHARACTERS
  for (const name of names.map(plainName)) {
    room -= name.length
    if (room < 0) break
    shown.push(name)
  }
  const rest = names.length - shown.length
  const parts = [...shown, ...(rest > 0 ? [`${rest} more`] : [])]
  return `unknown query parameter${names.length > 1 ? 's' : ''}: ${parts.join(', ')}`
}

/**
 * Ignores a query parameter that the route does not have
 * (docs/contract/01-conventions.md#base-rules), and reports it in a header, so that a mistyped one
 * is not mistaken for one without an effect. It is not logged, because it is the caller's text.
 */
export function registerQueryWarnings(app: FastifyInstance): void {
  app.addHook('preValidation', (request, reply, done) => {
    const { config, schema } = request.routeOptions
    if (!request.is404 && schema?.hide !== true && config.checksQuery !== true) {
      const names = unknownParameters(request)
      if (names.length > 0) addWarning(reply, wording(names))
    }
    done()
  })
}
