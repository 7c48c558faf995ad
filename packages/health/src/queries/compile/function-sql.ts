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
  /** Name for `arrayReduce`, or for a call. */
  name: string
  /** Conversions of the value before, and of the result after, the function. */
  toInput: (value: string) => string
  toResult: (result: string) => string
}

const asIs = (sql: string): string => sql

/**
 * Returns how ClickHouse computes an aggregate: means and medians of dates and times use their
 * milliseconds.
 */
export function functionSql(func: FunctionName, type: ValueType): FunctionSql {
  const { computed, makes } = aggregateFunction(func)
  if (computed.by === 'row') throw new Error(`${func} takes the value of a row`)
  const name = computed.engine
  if (makes === 'integer') return { name, toInput: asIs, toResult: (count) => `toInt64(${count})` }
  if (makes === 'mean' && type === 'date') {
    return { name, toInput: localMsOfDateSql, toResult: (mean) => dateOfLocalMsSql(wholeSql(mean)) }
  }
  if (makes === 'mean' && type === 'datetime') {
    return { name, toInput: localMsOfTimeSql, toResult: (mean) => timeOfLocalMsSql(wholeSql(mean)) }
  }
  return { name, toInput: asIs, toResult: makes === 'number' ? finiteOrNullSql : asIs }
}

const wholeSql = (number: string): string => `toInt64(floor(${number}))`

/** Replaces numbers that JSON cannot express, such as the deviation of one value, by null. */
export function finiteOrNullSql(number: string): string {
  return `if(isFinite(${number}), ${number}, null)`
}
