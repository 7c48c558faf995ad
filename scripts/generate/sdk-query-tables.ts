import { MERGED_SOURCES } from '../../packages/health/src/queries/tables/merged-sources.ts'
import type {
  Column,
  QuerySource,
  ValueType,
} from '../../packages/health/src/queries/tables/query-source.ts'
import { READINESS_SOURCE } from '../../packages/health/src/queries/tables/readiness-source.ts'
import { SERIES_SOURCES } from '../../packages/health/src/queries/tables/series-sources.ts'
import { SUMMARY_SOURCES } from '../../packages/health/src/queries/tables/summary-sources.ts'
import { generatedNotice, joinParts } from './markdown.ts'

const TYPES: Record<ValueType, string> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  text: 'string',
  date: 'string',
  datetime: 'string',
}

/** Source columns that every row has are selected by `source`, and are columns as well. */
function describeColumns(columns: Iterable<Column>): string {
  const members = [...columns].flatMap((column) =>
    column.kind === 'scalar'
      ? `${column.name}: ${TYPES[column.type]}${column.nullable ? ' | null' : ''}`
      : [],
  )
  return `{\n${members.map((member) => `    ${member}`).join('\n')}\n  }`
}

const describeSource = (name: string, { columns }: QuerySource): string =>
  `  ${name}: ${describeColumns(columns.values())}`

function describeLists(sources: readonly QuerySource[]): string[] {
  const lists = sources
    .flatMap(({ columns }) => [...columns.values()])
    .filter((column) => column.kind === 'list')
  return lists.map(({ name, elements }) => {
    const fields = elements.kind === 'objects' ? Object.keys(elements.fields) : []
    return `  ${name}: ${fields.map((field) => `'${field}'`).join(' | ') || 'never'}`
  })
}

/** Generates packages/sdk/src/query/query-tables.generated.ts: all names of queries. */
export function describeSdkQueryTables(): string {
  const tables = [...SUMMARY_SOURCES, READINESS_SOURCE]
  const series = [...SERIES_SOURCES.entries()]
  return joinParts(
    generatedNotice('packages/health/src/queries/tables').replace(/^<!-- (.*) -->$/, '// $1'),
    `/** Columns of the tables of summaries. */\nexport interface QueryTables {\n${tables
      .map((source) => describeSource(source.table, source))
      .join('\n')}\n}`,
    `/** Fields of the lists of menstrual cycles. */\nexport interface QueryLists {\n${describeLists(tables).join('\n')}\n}`,
    `/** Fields of the samples of each series. */\nexport interface QuerySeries {\n${series
      .map(([name, source]) => describeSource(name, source))
      .join('\n')}\n}`,
    `/** Fields of each series that is merged from all sources. */\nexport interface QueryMergedSeries {\n${[
      ...MERGED_SOURCES,
    ]
      .map(([name, source]) => describeSource(name, source))
      .join('\n')}\n}`,
  )
}
