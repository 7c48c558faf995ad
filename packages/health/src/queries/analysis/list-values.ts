import { aggregateFunction } from '../aggregate-functions.registry.ts'
import type { SubqueryExpression } from '../expressions.schema.ts'
import type { ListColumn, ValueSql, ValueType } from '../tables/query-source.ts'
import type { WhereColumn } from '../where-ast.ts'
import { atCharacter, checkFilter, parseFilter } from './check-filter.ts'
import { typeOfFunction } from './functions.ts'
import type { RowValue } from './plan.ts'
import { findColumn, type QueryScope } from './query-scope.ts'
import { type Location, refuseQuery } from './refuse-query.ts'
import { isNoFilter } from './source-filters.ts'

/** Name of the current element in the SQL of a list. */
const ELEMENT = 'element'

const FIELD_TYPES: Record<ValueType, string> = {
  integer: 'Int64',
  number: 'Float64',
  boolean: 'Bool',
  text: 'String',
  date: 'String',
  datetime: 'String',
}

/** Analyzes a subquery over a list column (docs/contract/09-aggregate.md#list-columns). */
export function toListReading(
  scope: QueryScope,
  { select, from, where }: SubqueryExpression,
  loc: Location,
): RowValue {
  const { func, arg } = select
  if (aggregateFunction(func).computed.by === 'row') {
    refuseQuery(
      [...loc, 'select', 'func'],
      'invalid_subquery',
      'The elements of a list have no order.',
    )
  }
  const listLoc = [...loc, 'from', 'unnest']
  const { source, column: list } = findColumn(scope, from.unnest, listLoc)
  if (list.kind !== 'list') {
    return refuseQuery(listLoc, 'invalid_subquery', 'A subquery must read a list column.')
  }
  const argLoc = [...loc, 'select', 'arg']
  if (arg === null && func !== 'count') {
    refuseQuery(argLoc, 'invalid_subquery', 'Only count can have no argument.')
  }
  const { table, series } = scope.sources[source] ?? { table: '', series: null }
  const element = arg === null ? null : toElement(list, table, arg, argLoc)
  const filter = isNoFilter(where) ? null : filterOf(list, where, [...loc, 'where'])
  const base = series === null ? list.name : `${series}.${list.name}`
  const name = [func, base, ...(element === null ? [] : [element.name])].join('.')
  const type = element === null ? 'integer' : typeOfFunction(func, element.type, argLoc)
  return { kind: 'list', name, source, type, reading: { func, list, element, filter } }
}

type NamedElement = ValueSql & { name: string }

function toElement(
  list: ListColumn,
  table: string,
  arg: { element: true } | Record<string, string>,
  loc: Location,
): NamedElement {
  // A struct list called `element` does not exist, so the key distinguishes the two.
  if ((arg as { element?: unknown }).element === true) {
    return (
      elementOf(list, ELEMENT) ??
      refuseQuery(loc, 'invalid_subquery', 'The elements of this list have fields.')
    )
  }
  const { field_for, ...fields } = arg as Record<string, string>
  const [named, ...others] = Object.entries(fields)
  const isOfList = named?.[0] === list.name && others.length === 0
  if (!isOfList || (field_for !== undefined && field_for !== table)) {
    return refuseQuery(
      loc,
      'invalid_subquery',
      'The argument names a different list than the subquery.',
    )
  }
  return (
    (list.elements.kind === 'objects' ? elementOf(list, named[1]) : undefined) ??
    refuseQuery(loc, 'unknown_column', 'The elements of this list have no such field.')
  )
}

/** Returns a field of the element, or the element itself when it is a text. */
function elementOf({ elements }: ListColumn, name: string): NamedElement | undefined {
  if (elements.kind === 'texts') {
    return name === ELEMENT ? { name, type: 'text', nullable: false, sql: ELEMENT } : undefined
  }
  if (!Object.hasOwn(elements.fields, name)) return undefined
  const type = elements.fields[name] as ValueType
  const value = `JSONExtract(${ELEMENT}, '${name}', 'Nullable(${FIELD_TYPES[type]})')`
  return { name, type, nullable: true, sql: type === 'date' ? `toDate32OrNull(${value})` : value }
}

function filterOf(list: ListColumn, text: string, loc: Location) {
  const find = ({ resource, name, position }: WhereColumn): ValueSql =>
    (resource === null ? elementOf(list, name) : undefined) ??
    refuseQuery(loc, 'unknown_column', atCharacter(position, 'The elements have no such field.'))
  return checkFilter(parseFilter(text, loc), find, loc)
}
