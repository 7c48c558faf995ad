import type { OutputColumn } from '../compiled-query.ts'
import type { QuerySource } from '../tables/query-source.ts'
import {
  type Aggregate,
  type GroupKey,
  type GroupsPlan,
  type RowsPlan,
  type RowValue,
  typeOfValue,
} from './plan.ts'

type Kind = Pick<OutputColumn, 'type' | 'nullable'>

/** Returns names and types of the columns of an answer, before anything is read. */
export function outputColumns(
  result: RowsPlan | GroupsPlan,
  sources: readonly QuerySource[],
): OutputColumn[] {
  if (result.kind === 'rows') {
    return result.columns.map(({ name, value }) => ({ name, ...kindOfValue(value, sources) }))
  }
  return result.output.map((column) => {
    const kind =
      column.kind === 'key'
        ? kindOfKey(result.keys[column.key] as GroupKey, sources)
        : kindOfAggregate(result.aggregates[column.aggregate] as Aggregate, result, sources)
    return { name: column.name, ...kind }
  })
}

function kindOfKey(key: GroupKey, sources: readonly QuerySource[]): Kind {
  if (key.kind === 'trunc') return { type: key.type, nullable: false }
  return key.kind === 'part'
    ? { type: 'integer', nullable: false }
    : kindOfValue(key.value, sources.slice(0, 1))
}

/** A count is never null, unless the group of another series has none or align made the row. */
function kindOfAggregate(
  { func, type }: Aggregate,
  { align }: GroupsPlan,
  sources: readonly QuerySource[],
): Kind {
  return { type, nullable: func !== 'count' || align !== null || sources.length > 1 }
}

function kindOfValue(value: RowValue, sources: readonly QuerySource[]): Kind {
  const type = typeOfValue(value)
  switch (value.kind) {
    case 'index':
      return { type, nullable: false }
    case 'list':
      return { type, nullable: value.reading.func !== 'count' || sources.length > 1 }
    case 'column':
      return { type, nullable: value.column.nullable || sources.length > 1 }
    case 'shared': {
      const columns = sources.map((source) => source.columns.get(value.column))
      return {
        type,
        nullable: columns.some((column) => column?.kind !== 'scalar' || column.nullable),
      }
    }
  }
}
