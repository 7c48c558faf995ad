import type { Operation } from './document-parts.ts'
import { isObject, type JsonObject } from './document-parts.ts'
import { fitsSchema } from './fits.ts'
import { makeExample } from './make-example.ts'
import { PARAMETERS } from './parameters.registry.ts'
import { hasDefault } from './relax-defaults.ts'

const LOCATIONS = ['path', 'query', 'header']

/**
 * Gives every parameter its description and an example from the table, and makes those with a
 * default optional. They are ordered for readers: first those of the path, then required ones.
 */
export function finishParameters({ path, content: operation }: Operation): void {
  const parameters = (operation.parameters ?? []) as JsonObject[]
  if (parameters.length === 0) return
  const rankOf = ({ in: location, name, required }: JsonObject): number => {
    if (location === 'path') return path.indexOf(`{${name}}`)
    return 1000 * LOCATIONS.indexOf(String(location)) + (required === true ? 0 : 500)
  }
  operation.parameters = parameters
    .map(finishParameter)
    .map((parameter, index) => ({ parameter, rank: rankOf(parameter) + index / 100 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ parameter }) => parameter)
}

function finishParameter(parameter: JsonObject): JsonObject {
  const {
    name,
    in: location,
    required,
    schema: given,
    description,
    deprecated,
    ...rest
  } = parameter
  const { description: ofSchema, deprecated: isOld, ...schema } = given as JsonObject
  const row = PARAMETERS[String(name)]
  const words = description ?? ofSchema ?? row?.description
  const isNeeded = location === 'path' || (required === true && !hasDefault(schema))
  return {
    name,
    in: location,
    ...(words !== undefined && { description: words }),
    required: isNeeded,
    ...((deprecated ?? isOld) === true && { deprecated: true }),
    schema,
    example: exampleOf(schema, row?.examples ?? []),
    ...rest,
  } as JsonObject
}

/** Returns the first of the table's examples that the schema accepts, which may be in a list. */
function exampleOf(schema: JsonObject, examples: readonly unknown[]) {
  const { items } = schema
  const candidates = isObject(items) ? examples.map((example) => [example]) : examples
  const found = candidates.find((candidate) => fitsSchema(schema, candidate))
  return found ?? makeExample(schema, '', { isInput: true })
}
