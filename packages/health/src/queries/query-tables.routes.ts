import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import { findSeries } from '@salus/contracts/series'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { FUNCTION_NAMES } from './aggregate-functions.registry.ts'
import { DATE_PARTS, PERIOD_UNITS } from './expressions.schema.ts'
import { unitOfColumn } from './tables/column-units.ts'
import { MERGED_SOURCES } from './tables/merged-sources.ts'
import type { Column, QuerySource, ScalarColumn } from './tables/query-source.ts'
import { READINESS_SOURCE } from './tables/readiness-source.ts'
import { SERIES_SOURCES } from './tables/series-sources.ts'
import { SUMMARY_SOURCES } from './tables/summary-sources.ts'

const VALUE_TYPES = ['integer', 'number', 'boolean', 'text', 'date', 'datetime'] as const

const Scalar = Type.Object(
  {
    name: Type.String(),
    type: TextEnum(VALUE_TYPES),
    nullable: Type.Boolean(),
    unit: Nullable(
      Type.String({ description: 'Unit of the values; null for values without one.' }),
    ),
    additive: Type.Boolean({
      description: 'Whether the values are amounts of a series that add up, such as steps.',
    }),
  },
  { title: 'QueryColumn' },
)
type Scalar = Type.Static<typeof Scalar>

const List = Type.Object(
  {
    name: Type.String(),
    fields: Type.Array(Type.String(), {
      description: 'Fields of the elements; empty when the elements are strings.',
    }),
  },
  { title: 'QueryList', description: 'List column, which only subqueries read.' },
)

const Table = Type.Object(
  {
    name: Type.String(),
    index: Scalar,
    columns: Type.Array(Scalar),
    macros: Type.Array(Scalar),
    lists: Type.Array(List),
  },
  { title: 'QueryTableDescription' },
)
type Table = Type.Static<typeof Table>

const QueryTables = Type.Object(
  {
    summaries: Type.Array(Table, { description: 'Tables of summaries.' }),
    series: Type.Array(
      Type.Object({ name: Type.String(), fields: Type.Array(Scalar) }, { title: 'QuerySeries' }),
      { description: 'Series and fields of the table `timeseries`.' },
    ),
    merged: Type.Array(
      Type.Object({ name: Type.String(), fields: Type.Array(Scalar) }, { title: 'QuerySeries' }),
      { description: 'Series and fields of the table `merged`.' },
    ),
    functions: Type.Array(TextEnum(FUNCTION_NAMES)),
    units: Type.Array(TextEnum(PERIOD_UNITS)),
    date_parts: Type.Array(TextEnum(DATE_PARTS)),
  },
  { title: 'QueryTables' },
)

/** Registers the list of what queries can name, for editors and query builders. */
export function registerQueryTableRoutes(app: App): void {
  const schema = {
    operationId: 'listQueryTables',
    tags: ['Aggregate queries'],
    summary: 'List the query tables',
    description:
      'Returns the tables of summaries and series with their columns. They are the same for every team.',
    response: { 200: QueryTables },
  }
  app.get('/aggregate/v1/table', { config: { personIn: 'none' }, schema }, () => ({
    summaries: [...SUMMARY_SOURCES, READINESS_SOURCE].map(describeTable),
    series: [...SERIES_SOURCES].map(([name, source]) => ({ name, fields: scalarsOf(source) })),
    merged: [...MERGED_SOURCES].map(([name, source]) => ({ name, fields: scalarsOf(source) })),
    functions: [...FUNCTION_NAMES],
    units: [...PERIOD_UNITS],
    date_parts: [...DATE_PARTS],
  }))
}

function describeTable(source: QuerySource): Table {
  const lists = [...source.columns.values()].flatMap((column) =>
    column.kind === 'list'
      ? {
          name: column.name,
          fields: column.elements.kind === 'texts' ? [] : Object.keys(column.elements.fields),
        }
      : [],
  )
  return {
    name: source.table,
    index: describeScalar(source, source.index),
    columns: scalarsOf(source),
    macros: [...source.macros.values()].map((macro) => describeScalar(source, macro)),
    lists,
  }
}

const isScalar = (column: Column): column is ScalarColumn => column.kind === 'scalar'

const scalarsOf = (source: QuerySource): Scalar[] =>
  [...source.columns.values()].filter(isScalar).map((column) => describeScalar(source, column))

const describeScalar = (
  { series }: QuerySource,
  { name, type, nullable }: ScalarColumn,
): Scalar => ({
  name,
  type,
  nullable,
  unit: unitOfColumn(series, name),
  additive: name === 'value' && findSeries(series ?? '')?.merge.kind === 'sum',
})
