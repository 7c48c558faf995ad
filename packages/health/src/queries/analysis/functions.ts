import { aggregateFunction, type FunctionName } from '../aggregate-functions.registry.ts'
import type { ValueType } from '../tables/query-source.ts'
import { type Location, refuseQuery } from './refuse-query.ts'

/**
 * Returns the result type of a function over values of a type.
 * @throws InputError `invalid_function` when it does not accept that type.
 */
export function typeOfFunction(func: FunctionName, type: ValueType, loc: Location): ValueType {
  const { takes, makes } = aggregateFunction(func)
  if (!takes.includes(type)) {
    refuseQuery(loc, 'invalid_function', `The function ${func} does not take this type of column.`)
  }
  if (makes === 'mean') return type === 'integer' ? 'number' : type
  return makes === 'same' ? type : makes
}
