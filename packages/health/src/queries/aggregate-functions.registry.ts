import {
  exactDeviationSql,
  exactMeanSql,
  exactSumSql,
} from '@salus/kernel/clickhouse/exact-sum-sql'

export type ValueType = 'integer' | 'number' | 'boolean' | 'text' | 'date' | 'datetime'

interface ComputedByValues {
  by: 'values'
  /** The aggregate of the engine. */
  engine: string
  /**
   * SQL over rows where that of the engine depends on their order: of Float64 or, where `ofWhole`,
   * of all numbers.
   */
  exact?: { sql: (value: string, name: string) => string; ofWhole: boolean }
}

/** An aggregate function: its input, its output, and its computation in ClickHouse. */
interface AggregateFunction {
  /** Accepted types of columns (docs/contract/09-aggregate.md#function-rules). */
  takes: readonly ValueType[]
  /** `same` is the type of the values; `mean` is that of a mean: integers become numbers. */
  makes: 'same' | 'mean' | 'integer' | 'number'
  /** An aggregate of the engine over values, or the first or last value of the rows by time. */
  computed: ComputedByValues | { by: 'row'; pick: 'first' | 'last' }
  /** The function of which it is an alias. */
  aliasOf?: string
}

const NUMBERS: readonly ValueType[] = ['integer', 'number']
const AVERAGED: readonly ValueType[] = [...NUMBERS, 'date', 'datetime']
const ANY: readonly ValueType[] = [...AVERAGED, 'boolean', 'text']

const engine = (name: string): ComputedByValues => ({ by: 'values', engine: name })
const exact = (
  name: string,
  sql: (value: string, name: string) => string,
  ofWhole = false,
): ComputedByValues => ({ by: 'values', engine: name, exact: { sql, ofWhole } })
const row = (pick: 'first' | 'last') => ({ by: 'row', pick }) as const

/** All aggregate functions of the query language, in the order of documentation. */
export const AGGREGATE_FUNCTIONS = {
  mean: { takes: AVERAGED, makes: 'mean', computed: exact('avg', exactMeanSql) },
  min: { takes: ANY, makes: 'same', computed: engine('min') },
  max: { takes: ANY, makes: 'same', computed: engine('max') },
  sum: { takes: NUMBERS, makes: 'same', computed: exact('sum', exactSumSql) },
  count: { takes: ANY, makes: 'integer', computed: engine('count') },
  median: { takes: AVERAGED, makes: 'mean', computed: engine('quantileExactInclusive(0.5)') },
  stddev: {
    takes: NUMBERS,
    makes: 'number',
    computed: exact('stddevSampStable', exactDeviationSql, true),
  },
  oldest: { takes: ANY, makes: 'same', computed: row('first') },
  newest: { takes: ANY, makes: 'same', computed: row('last') },
  latest: { takes: ANY, makes: 'same', computed: row('last'), aliasOf: 'newest' },
} as const satisfies Record<string, AggregateFunction>

export type FunctionName = keyof typeof AGGREGATE_FUNCTIONS
export const FUNCTION_NAMES = Object.keys(AGGREGATE_FUNCTIONS) as FunctionName[]

/** Returns the definition of a function. */
export const aggregateFunction = (name: FunctionName): AggregateFunction =>
  AGGREGATE_FUNCTIONS[name]
