import type { Query } from '../query.schema.ts'

const selectsKeys = ({ select }: Query): boolean => select.some((item) => 'group_key' in item)

/**
 * Whether aggregates are called by their function alone
 * (docs/contract/09-aggregate.md#output-columns).
 */
export function isShortForm(query: Query): boolean {
  if (selectsKeys(query)) return false
  const funcs = query.select.flatMap((item) => ('func' in item ? item.func : []))
  return new Set(funcs).size === funcs.length
}

/** Whether the start of the bucket comes first although nobody selected it. */
export function showsIndex(query: Query): boolean {
  return !selectsKeys(query)
}

/** The second column of a name is called name.2, the third name.3. */
export function withUniqueNames<Column extends { name: string }>(
  columns: readonly Column[],
): Column[] {
  const counts = new Map<string, number>()
  return columns.map((column) => {
    const count = (counts.get(column.name) ?? 0) + 1
    counts.set(column.name, count)
    return count === 1 ? column : { ...column, name: `${column.name}.${count}` }
  })
}
