import { parseWhere } from '../../../../health/src/queries/where/parse-where.ts'
import {
  type ColumnType,
  ELEMENT_FIELDS,
  MACRO_TYPES,
  SERIES_COLUMNS,
  SUMMARY_COLUMNS,
} from './reference-columns.registry.ts'
import { applyFunction, typeOfFunction } from './reference-functions.ts'
import type { ReferenceRow, Scalar } from './reference-row.ts'
import { isTrueOf } from './reference-where.ts'
import {
  isTableColumn,
  type RowExpression,
  type TableColumn,
  tableOfColumn,
  type WireSubquery,
  type WireTable,
} from './wire-query.ts'

/** Index columns that are days and not times. */
const DAY_TABLES: readonly WireTable[] = ['activity', 'menstrual_cycle', 'derived_readiness']

/** What is known of an expression before any row is read. */
export interface Meaning {
  /** Name of an output column, and of the part after a function. */
  name: string
  type: ColumnType
  /** The series that it is about; null for what every row has, and for summaries. */
  series: string | null
  valueIn: (row: ReferenceRow) => Scalar
}

export function meaningOf(expression: RowExpression): Meaning {
  if (isTableColumn(expression)) return meaningOfColumn(expression)
  if ('index' in expression) {
    return {
      name: 'timestamp',
      type: indexTypeOf(expression.index),
      series: null,
      valueIn: (row) => row.index,
    }
  }
  if ('source' in expression) {
    const name = expression.source
    return {
      name,
      type: 'str',
      series: null,
      valueIn: (row) => (row.cells[name] ?? null) as Scalar,
    }
  }
  if ('value_macro' in expression) {
    const name = expression.value_macro
    const type = MACRO_TYPES[name] as ColumnType
    return { name, type, series: null, valueIn: (row) => row.macros[name] ?? null }
  }
  return meaningOfSubquery(expression)
}

export function indexTypeOf(table: WireTable): ColumnType {
  return DAY_TABLES.includes(table) ? 'date' : 'dt'
}

function meaningOfColumn(column: TableColumn): Meaning {
  const { series, field, type } = resolveColumn(column)
  const name = series === null ? field : `${series}.${field}`
  return { name, type, series, valueIn: (row) => row.cells[field] as Scalar }
}

function resolveColumn(column: TableColumn): {
  series: string | null
  field: string
  type: ColumnType
} {
  if ('timeseries' in column) {
    const { timeseries, field } = column
    const type = SERIES_COLUMNS[timeseries]?.[field]
    if (type === undefined) throw new Error(`No column ${timeseries}.${field}`)
    return { series: timeseries, field, type }
  }
  const table = tableOfColumn(column)
  const field = Object.values(column)[0] as string
  const type = SUMMARY_COLUMNS[table]?.[field]
  if (type === undefined) throw new Error(`No column ${table}.${field}`)
  return { series: null, field, type }
}

type Element = Scalar | Record<string, Scalar>

/** docs/contract/09-aggregate.md#list-columns: one value of the elements of a list. */
function meaningOfSubquery({ select, from, where }: WireSubquery): Meaning {
  const { series, field: list } = resolveColumn(from.unnest)
  const base = series === null ? list : `${series}.${list}`
  const predicate = where === undefined ? undefined : parseWhere(where)
  const fieldsOfList = ELEMENT_FIELDS[list]
  const { name, type, toValue } = argumentOf(select.arg, list)
  const fieldOf = (element: Element, field: string): Scalar =>
    fieldsOfList === undefined
      ? (element as Scalar)
      : ((element as Record<string, Scalar>)[field] ?? null)
  const passes = (element: Element): boolean =>
    predicate === undefined ||
    isTrueOf(predicate, (_, field) => ({
      type: fieldsOfList?.[field] ?? 'str',
      value: fieldOf(element, field),
    })) === true
  return {
    name: [select.func, base, ...name].join('.'),
    type: typeOfFunction(select.func, type),
    series,
    valueIn: (row) => {
      const elements = ((row.cells[list] ?? []) as Element[]).filter(passes)
      const operands = elements.map((element) => ({
        value: toValue(element),
        index: 0,
        updatedAt: 0,
      }))
      return applyFunction(select.func, operands)
    },
  }
}

function argumentOf(
  arg: WireSubquery['select']['arg'],
  list: string,
): { name: string[]; type: ColumnType; toValue: (element: Element) => Scalar } {
  if (arg === null) return { name: [], type: 'int', toValue: () => 1 }
  if ('element' in arg) {
    return { name: ['element'], type: 'str', toValue: (element) => element as Scalar }
  }
  const field = arg[list] as string
  return {
    name: [field],
    type: ELEMENT_FIELDS[list]?.[field] as ColumnType,
    toValue: (element) => (element as Record<string, Scalar>)[field] ?? null,
  }
}
