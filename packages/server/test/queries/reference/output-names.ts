import type { WireGroupBy, WireQuery } from './wire-query.ts'

/**
 * docs/contract/09-aggregate.md#output-columns: an aggregate is called by its function alone where
 * that is enough.
 */
export function isShortForm({ select }: WireQuery): boolean {
  if (select.some((item) => 'group_key' in item)) return false
  const funcs = select.flatMap((item) => ('func' in item ? item.func : []))
  return new Set(funcs).size === funcs.length
}

/**
 * docs/contract/09-aggregate.md#output-columns: position of the group key that is shown as the
 * column `index`, or -1.
 */
export function indexKeyOf({ select }: WireQuery, groupBy: readonly WireGroupBy[]): number {
  if (select.some((item) => 'group_key' in item)) return -1
  const truncs = groupBy.filter((key) => 'date_trunc' in key)
  return truncs.length === 1 ? groupBy.findIndex((key) => 'date_trunc' in key) : -1
}

/** The second column of a name is called name.2. */
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
