import type { FunctionName } from '../expressions.schema.ts'
import type { ValueType } from '../tables/query-source.ts'
import { type Location, refuse } from './refuse.ts'

const NUMBERS: readonly ValueType[] = ['integer', 'number']
const TIMES: readonly ValueType[] = ['date', 'datetime']
const ANY: readonly ValueType[] = [...NUMBERS, ...TIMES, 'boolean', 'text']

/** Which types a function takes (docs/contract/09-aggregate.md#function-rules). */
const TAKEN: Record<FunctionName, readonly ValueType[]> = {
  mean: [...NUMBERS, ...TIMES],
  median: [...NUMBERS, ...TIMES],
  sum: NUMBERS,
  stddev: NUMBERS,
  min: ANY,
  max: ANY,
  count: ANY,
  oldest: ANY,
  newest: ANY,
  latest: ANY,
}

/**
 * The type of what a function makes of values of a type.
 * @throws InputError `invalid_function` when it does not take that type.
 */
export function typeOfFunction(func: FunctionName, type: ValueType, loc: Location): ValueType {
  if (!TAKEN[func].includes(type)) {
    refuse(loc, 'invalid_function', `The function ${func} does not take this type of column.`)
  }
  if (func === 'count') return 'integer'
  if (func === 'mean' || func === 'median') return type === 'integer' ? 'number' : type
  return func === 'stddev' ? 'number' : type
}
