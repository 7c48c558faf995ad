import { DAY_MS } from '@salus/contracts/time-units'
import { randomCarry } from './random-align.ts'
import type { RandomPerson } from './random-data.ts'
import { randomScope, type Scope } from './random-scope.ts'
import { PROVIDERS } from './random-sources.ts'
import { randomSubquery } from './random-subquery.ts'
import { randomFilter } from './random-where.ts'
import { formatDay } from './reference/floating-time.ts'
import { type ColumnType, MACRO_TYPES } from './reference/reference-columns.registry.ts'
import type {
  PeriodUnit,
  RowExpression,
  WireAggregate,
  WireConfig,
  WireGroupBy,
  WirePeriod,
  WireQuery,
  WireSelect,
  WireSource,
  WireTimeframe,
} from './reference/wire-query.ts'
import type { SeededRandom } from './seeded-random.ts'

/** The queries of one call. */
export interface RandomRequest {
  timeframe: WireTimeframe
  queries: WireQuery[]
  config?: WireConfig
}

const PARTS = [
  ...['minute', 'hour', 'day', 'week', 'month', 'year', 'weekday', 'week_of_year', 'day_of_year'],
]

const ANY_FUNCS = ['count', 'oldest', 'newest', 'latest']
const FUNCS: Record<ColumnType, readonly string[]> = {
  int: [...ANY_FUNCS, 'mean', 'min', 'max', 'sum', 'median', 'stddev'],
  num: [...ANY_FUNCS, 'mean', 'min', 'max', 'sum', 'median', 'stddev'],
  date: [...ANY_FUNCS, 'mean', 'min', 'max', 'median'],
  dt: [...ANY_FUNCS, 'mean', 'min', 'max', 'median'],
  str: [...ANY_FUNCS, 'min', 'max'],
  bool: [...ANY_FUNCS, 'min', 'max'],
  list: [],
}

/** A call with several queries of one person, all of which are valid. */
export function randomRequest(
  random: SeededRandom,
  person: RandomPerson,
  queryCount: number,
): RandomRequest {
  const anchor = person.firstDay + random.below(64) * DAY_MS
  const timeframe: WireTimeframe = {
    type: 'relative',
    anchor: formatDay(anchor),
    past: randomPast(random),
  }
  const queries = Array.from({ length: queryCount }, () => randomQuery(random))
  if (random.chance(0.6)) return { timeframe, queries }
  const overrides = random.chance(0.2) ? null : PROVIDERS.filter(() => random.chance(0.4)).reverse()
  return { timeframe, queries, config: { provider_priority_overrides: overrides } }
}

function randomPast(random: SeededRandom): WirePeriod {
  const unit = random.pick<PeriodUnit>(['minute', 'hour', 'day', 'week', 'month', 'month', 'year'])
  const most = { minute: 100_000, hour: 1500, day: 70, week: 10, month: 4, year: 2 }[unit]
  return random.chance(0.2) ? { unit } : { unit, value: 1 + random.below(most) }
}

export function randomQuery(random: SeededRandom): WireQuery {
  const scope = randomScope(random)
  const query = random.chance(0.7) ? groupedQuery(random, scope) : ungroupedQuery(random, scope)
  const isNamed = scope.series.every((name) => JSON.stringify(query).includes(`"${name}"`))
  if (!isNamed) return randomQuery(random)
  if (random.chance(0.5)) query.where = randomFilter(random, scope)
  return query
}

/** An expression with a value in every row, and its type. */
function randomExpression(
  random: SeededRandom,
  scope: Scope,
): { expression: RowExpression; type: ColumnType } {
  const { table } = scope
  const isAlone = scope.series.length < 2
  if (isAlone && random.chance(0.1)) return { expression: { index: table }, type: 'dt' }
  if (table === 'sleep' && random.chance(0.3)) {
    const value_macro = random.pick(Object.keys(MACRO_TYPES))
    const version = random.chance(0.5) ? { version: 'automatic' } : {}
    return { expression: { value_macro, ...version }, type: MACRO_TYPES[value_macro] as ColumnType }
  }
  const { expression, type } = random.pick(scope.columns)
  if (type !== 'list') return { expression, type }
  return randomSubquery(random, expression)
}

function ungroupedQuery(random: SeededRandom, scope: Scope): WireQuery {
  const length = 1 + random.below(4)
  if (random.chance(0.35)) {
    return { select: Array.from({ length }, () => randomAggregate(random, scope)) }
  }
  const sources = scope.series.length > 1 ? scope.sources.slice(0, 2) : scope.sources
  // Columns determine the table; sources alone would not.
  const select: WireSelect[] = [randomExpression(random, scope).expression]
  while (select.length < length) {
    const isSource = random.chance(0.2)
    select.push(isSource ? random.pick(sources) : randomExpression(random, scope).expression)
  }
  if (random.chance(0.5)) select.unshift({ index: scope.table })
  return { select }
}

function randomAggregate(random: SeededRandom, scope: Scope): WireAggregate {
  const { expression, type } = randomExpression(random, scope)
  return { func: random.pick(FUNCS[type]), arg: expression }
}

function groupedQuery(random: SeededRandom, scope: Scope): WireQuery {
  const { keys, trunc } = randomKeys(random, scope)
  const aggregates = Array.from({ length: 1 + random.below(4) }, () =>
    randomAggregate(random, scope),
  )
  const isSplit = random.chance(0.1)
  const hasPart = keys.some((key) => 'date_part' in key)
  if (trunc !== undefined && trunc.unit !== 'minute' && !hasPart && random.chance(0.5)) {
    const carry = randomCarry(random, trunc)
    const select: WireSelect[] = [{ group_key: '*' }, ...aggregates]
    return { select, group_by: keys, align: { carry }, ...(isSplit && { split_by_source: true }) }
  }
  const select: WireSelect[] = aggregates
  if (random.chance(0.5)) {
    const group_key = random.chance(0.4) ? ('*' as const) : random.below(keys.length)
    select.splice(random.below(2), 0, { group_key })
  }
  return { select, group_by: keys, ...(isSplit && { split_by_source: true }) }
}

function randomKeys(
  random: SeededRandom,
  scope: Scope,
): { keys: WireGroupBy[]; trunc: WirePeriod | undefined } {
  const keys: WireGroupBy[] = []
  let trunc: WirePeriod | undefined
  const arg = { index: scope.table }
  if (random.chance(0.7)) {
    trunc = randomBucket(random)
    keys.push({ date_trunc: trunc, arg })
  }
  if (random.chance(trunc === undefined ? 0.5 : 0.1)) {
    keys.push({ date_part: random.pick(PARTS), arg })
  }
  const sources = scope.series.length > 1 ? scope.sources.slice(0, 2) : scope.sources
  for (let more = random.below(keys.length === 0 ? 2 : 3); more >= 0; more--) {
    if (keys.length > 0 && random.chance(0.4)) continue
    const key = randomKey(random, scope, sources)
    if (key !== undefined) keys.splice(random.below(keys.length + 1), 0, key)
  }
  if (keys.length === 0) keys.push(random.pick(sources))
  return { keys, trunc }
}

/** A column with few values, a source or a macro. */
function randomKey(
  random: SeededRandom,
  scope: Scope,
  sources: readonly WireSource[],
): WireGroupBy | undefined {
  if (scope.table === 'sleep' && random.chance(0.3)) {
    return { value_macro: random.pick(['chronotype', 'awakenings']) }
  }
  if (scope.series.length > 1 || random.chance(0.5)) return random.pick(sources)
  const { expression, type } = random.pick(scope.columns)
  return type === 'list' ? undefined : expression
}

function randomBucket(random: SeededRandom): WirePeriod {
  const unit = random.pick<PeriodUnit>(['minute', 'hour', 'day', 'day', 'week', 'month', 'year'])
  const values = {
    minute: [30, 90],
    hour: [1, 6, 7],
    day: [1, 2, 5],
    week: [1, 2],
    month: [1, 3],
    year: [1],
  }
  return random.chance(0.3) && unit !== 'minute'
    ? { unit }
    : { unit, value: random.pick(values[unit]) }
}
