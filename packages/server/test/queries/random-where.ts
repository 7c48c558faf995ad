import type { Scope, TypedColumn } from './random-scope.ts'
import { PROVIDERS, SOURCE_TYPES } from './random-sources.ts'
import type { ColumnType } from './reference/reference-columns.registry.ts'
import type { SeededRandom } from './seeded-random.ts'

const TEXTS: Record<string, readonly string[]> = {
  source_provider: PROVIDERS,
  source_type: SOURCE_TYPES,
  type: ['automatic', 'rapid_acting', 'long_sleep', 'short_sleep'],
  content: ['', 'née 😀', "it's \\ \t \n", 'apple'],
  name: ['lunch', 'dinner'],
  sport_slug: ['running'],
  chronotype: ['owl', 'lark'],
  recovery_zone: ['Green'],
}
const OPERATORS = ['=', '!=', '<', '<=', '>', '>=']

/** A filter over the columns of a query. With several series it is a conjunction of comparisons. */
export function randomFilter(random: SeededRandom, scope: Scope): string {
  const columns = scope.columns.filter(({ type }) => type !== 'list')
  if (scope.series.length > 1) {
    const count = 1 + random.below(2)
    return Array.from({ length: count }, () => comparison(random, columns, true)).join(' and ')
  }
  return predicate(random, columns, 2)
}

function predicate(random: SeededRandom, columns: readonly TypedColumn[], depth: number): string {
  if (depth === 0 || random.chance(0.5)) return comparison(random, columns, false)
  const left = predicate(random, columns, depth - 1)
  const right = predicate(random, columns, depth - 1)
  return random.pick([
    `${left} and ${right}`,
    `${left} OR ${right}`,
    `not (${left} or ${right})`,
    `(${left} and not (${right}))`,
  ])
}

function comparison(
  random: SeededRandom,
  columns: readonly TypedColumn[],
  isOfSeries: boolean,
): string {
  const { expression, name, type } = random.pick(columns)
  const isQualified = 'timeseries' in expression && random.chance(isOfSeries ? 0.6 : 0.3)
  const column = isQualified ? `${(expression as { timeseries: string }).timeseries}.${name}` : name
  if (random.chance(0.15)) return `${column} ${random.pick(['=', '!=', '=', '!=', '<'])} null`
  const others = columns.filter((other) => other.type === type && other.name !== name)
  if (!isOfSeries && others.length > 0 && random.chance(0.1)) {
    return `${column} ${random.pick(OPERATORS)} ${random.pick(others).name}`
  }
  const value = literal(random, name, type)
  const operator = type === 'bool' ? random.pick(['=', '!=']) : random.pick(OPERATORS)
  return random.chance(0.9) ? `${column} ${operator} ${value}` : `${value} ${operator} ${column}`
}

function literal(random: SeededRandom, name: string, type: ColumnType): string {
  switch (type) {
    case 'int':
    case 'num': {
      const size = name.endsWith('_second') ? 30_000 : random.pick([10, 60, 100, 500, 5000])
      return String(random.chance(0.5) ? random.below(size) : random.below(size * 4) / 4)
    }
    case 'bool':
      return random.pick(['true', 'FALSE'])
    case 'date':
      return `'${randomDay(random)}'`
    case 'dt':
      return random.chance(0.3)
        ? `'${randomDay(random)}'`
        : `'${randomDay(random)}T0${random.below(10)}:30:00'`
    default:
      return `'${random.pick(TEXTS[name] ?? ['', 'a', 'm', 'running', 'com.example']).replaceAll("'", "''")}'`
  }
}

function randomDay(random: SeededRandom): string {
  const year = random.pick([2026, 2026, 2025, 2021, 2024, 1980])
  const month = String(1 + random.below(12)).padStart(2, '0')
  return `${year}-${month}-${String(1 + random.below(28)).padStart(2, '0')}`
}
