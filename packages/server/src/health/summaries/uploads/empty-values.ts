import {
  SUMMARY_TABLES,
  type SummaryResource,
  type SummaryValues,
} from '../summary-tables.registry.ts'

/** The columns of a resource with nothing in them. */
export function emptyValues<R extends SummaryResource>(resource: R): SummaryValues<R> {
  const columns = Object.entries(SUMMARY_TABLES[resource].columns).map(([name, type]) => {
    if (type === 'json') return [name, '']
    return [name, type === 'integers' ? [] : null]
  })
  return Object.fromEntries(columns) as SummaryValues<R>
}
