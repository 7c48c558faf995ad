import { aggregateFunction, type FunctionName } from '../aggregate-functions.registry.ts'
import {
  dateOfLocalMsSql,
  localMsOfDateSql,
  localMsOfTimeSql,
  timeOfLocalMsSql,
} from '../tables/floating-sql.ts'
import type { ValueType } from '../tables/query-source.ts'

/** A function over values of a type in the engine. Nulls are left out. */
interface FunctionSql {
  /**
   * Returns the function of a value in all rows of a group.
   * @param alias A name that no other expression of the statement has.
   */
  ofRows: (value: string, alias: string) => string
  /** Returns the function of the elements of a list, which are named `element`. */
  ofList: (element: string, list: string) => string
}

const asIs = (sql: string): string => sql

/**
 * Returns how ClickHouse computes an aggregate: means and medians of dates and times use their
 * milliseconds. The order of rows does not matter; a list has its own.
 */
export function functionSql(func: FunctionName, type: ValueType): FunctionSql {
  const { computed, makes } = aggregateFunction(func)
  if (computed.by === 'row') throw new Error(`${func} takes the value of a row`)
  const { engine, exact } = computed
  const { toInput, toResult } = conversionsOf(makes, type)
  const isExact = exact !== undefined && (type === 'number' || exact.ofWhole)
  const isTime = type === 'date' || type === 'datetime'
  return {
    ofRows(value, alias) {
      const input = toInput(value)
      if (isTime && engine === 'avg') return toResult(meanOfWholeSql(input))
      return isExact ? exact.sql(input, alias) : toResult(`${engine}(${input})`)
    },
    ofList: (element, list) =>
      toResult(
        `arrayReduce('${engine}', arrayMap(element -> toNullable(${toInput(element)}), ${list}))`,
      ),
  }
}

/** Conversions of the value before, and of the result after, the function. */
function conversionsOf(makes: string, type: ValueType) {
  const whole = (number: string): string => `toInt64(floor(${number}))`
  if (makes === 'integer') {
    return { toInput: asIs, toResult: (count: string): string => `toInt64(${count})` }
  }
  if (makes === 'mean' && type === 'date') {
    const toResult = (mean: string): string => dateOfLocalMsSql(whole(mean))
    return { toInput: localMsOfDateSql, toResult }
  }
  if (makes === 'mean' && type === 'datetime') {
    const toResult = (mean: string): string => timeOfLocalMsSql(whole(mean))
    return { toInput: localMsOfTimeSql, toResult }
  }
  return { toInput: asIs, toResult: makes === 'number' ? finiteOrNullSql : asIs }
}

/** Milliseconds of a hundred thousand times have a sum beyond 64 bits. */
const meanOfWholeSql = (number: string): string =>
  `intDiv(sum(toInt128(${number})), nullIf(count(${number}), 0))`

/** Replaces numbers that JSON cannot express, such as the deviation of one value, by null. */
export function finiteOrNullSql(number: string): string {
  return `if(isFinite(${number}), ${number}, null)`
}
