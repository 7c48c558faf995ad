import type { GroupByExpression } from '../expressions.schema.ts'
import { approximateMs, type Span, spanOf } from '../period.ts'
import type { Query } from '../query.schema.ts'
import type { GroupKey } from './plan.ts'
import { isTableColumn, type QueryScope } from './query-scope.ts'
import { type Location, refuseQuery } from './refuse-query.ts'
import { toRowValue, toSharedColumn } from './row-values.ts'

/** A bucket of more than a century would begin before the times that can be written. */
const LONGEST_BUCKET: Span = { kind: 'months', months: 1200 }

/**
 * Returns the group keys of a query, those of split_by_source included.
 * @throws InputError `multiple_date_trunc`, `invalid_group_key` and those of row values.
 */
export function groupKeysOf(scope: QueryScope, query: Query, loc: Location): GroupKey[] {
  const given = query.group_by ?? []
  const [, second] = given.flatMap((key, at) => ('date_trunc' in key ? [at] : []))
  if (second !== undefined) {
    refuseQuery(
      [...loc, 'group_by', second],
      'multiple_date_trunc',
      'A query can have only one date_trunc.',
    )
  }
  const keys = given.map((key, at) => toGroupKey(scope, key, [...loc, 'group_by', at]))
  if (query.split_by_source !== true) return keys
  const added = ['source_provider', 'source_type'].map((name): GroupKey => {
    return { kind: 'value', value: toSharedColumn(scope, name, [...loc, 'split_by_source']) }
  })
  return [...keys, ...added]
}

function toGroupKey(scope: QueryScope, key: GroupByExpression, loc: Location): GroupKey {
  if ('date_part' in key) return { kind: 'part', part: key.date_part }
  if ('date_trunc' in key) {
    const span = spanOf(key.date_trunc)
    if (approximateMs(span) > approximateMs(LONGEST_BUCKET)) {
      refuseQuery(
        [...loc, 'date_trunc'],
        'invalid_group_key',
        'A date_trunc can be at most 100 years long.',
      )
    }
    const type = scope.sources[0].index.type === 'date' ? 'date' : 'datetime'
    return { kind: 'trunc', span, type }
  }
  if ('placeholder' in key) return refuseQuery(loc, 'placeholder', 'A placeholder has no value.')
  const value = toRowValue(scope, key, loc)
  if (scope.sources.length === 1 || value.kind !== 'column' || !isTableColumn(key)) {
    return { kind: 'value', value }
  }
  // Groups of several series are joined on the key, so each series must have it.
  const { name, type } = value.column
  const columns = scope.sources.map((source) => source.columns.get(name))
  if (columns.some((column) => column?.kind !== 'scalar' || column.type !== type)) {
    refuseQuery(loc, 'invalid_group_key', 'Every series that the query reads must have this field.')
  }
  return { kind: 'value', value: toSharedColumn(scope, name, loc) }
}
