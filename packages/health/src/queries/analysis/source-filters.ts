import type { QuerySource, ScalarColumn } from '../tables/query-source.ts'
import type { WhereColumn, WhereComparison, WherePredicate } from '../where-ast.ts'
import { atCharacter, checkFilter, parseFilter } from './check-filter.ts'
import type { Filter } from './plan.ts'
import { type Location, refuseQuery } from './refuse-query.ts'

/**
 * Returns the filter of a query for each of its sources (docs/contract/09-aggregate.md#where). A
 * field without a series refers to every series that has it; a comparison only applies to series
 * that have its fields.
 * @throws InputError `where_syntax`, `where_type`, `unknown_column`, `list_column`.
 */
export function filtersOf(
  sources: readonly QuerySource[],
  text: string | null | undefined,
  loc: Location,
): (Filter | null)[] {
  if (isNoFilter(text)) return sources.map(() => null)
  const predicate = parseFilter(text, loc)
  const comparisons = comparisonsOf(predicate)
  for (const { left, right } of comparisons) {
    for (const operand of [left, right]) {
      if (operand.kind === 'column') checkColumn(sources, operand, loc)
    }
  }
  const seen = new Set<WhereComparison>()
  const filters = sources.map((source) =>
    checkFilter(predicate, (column) => findIn(source, column), loc, seen),
  )
  const lost = comparisons.find((comparison) => !seen.has(comparison))
  if (lost !== undefined) {
    const message = 'Columns of two series cannot be compared with each other.'
    refuseQuery(loc, 'where_type', atCharacter(lost.position, message))
  }
  return filters
}

/** Query builders send an empty text for a missing filter. */
export const isNoFilter = (text: string | null | undefined): text is '' | null | undefined =>
  text === null || text === undefined || text.trim() === ''

function comparisonsOf(predicate: WherePredicate): WhereComparison[] {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.operands.flatMap(comparisonsOf)
    case 'not':
      return comparisonsOf(predicate.operand)
    case 'comparison':
      return [predicate]
  }
}

/** Only series have a name before the dot. */
function columnIn(source: QuerySource, { resource, name }: WhereColumn) {
  return resource === null || resource === source.series ? source.columns.get(name) : undefined
}

function checkColumn(sources: readonly QuerySource[], column: WhereColumn, loc: Location): void {
  const found = sources.flatMap((source) => columnIn(source, column) ?? [])
  const { position } = column
  if (found.length === 0) {
    refuseQuery(
      loc,
      'unknown_column',
      atCharacter(position, 'The query does not read a column with this name.'),
    )
  }
  if (found.some(({ kind }) => kind === 'list')) {
    refuseQuery(loc, 'list_column', atCharacter(position, 'A list cannot be compared.'))
  }
}

function findIn(source: QuerySource, column: WhereColumn): ScalarColumn | null {
  return (columnIn(source, column) as ScalarColumn | undefined) ?? null
}
