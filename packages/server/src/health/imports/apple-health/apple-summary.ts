import { type NewSummary, SUMMARY_TABLES, type SummaryResource } from '../../summaries/index.ts'

/** What every summary of an import has beside its values. */
export type SummaryFrame<R extends SummaryResource> = Omit<
  NewSummary<R>,
  'resource' | 'values' | 'timeZone' | 'calendarDate' | 'deviceModel'
> &
  Partial<Pick<NewSummary, 'timeZone' | 'calendarDate' | 'deviceModel'>>

/** A summary in which what the export does not tell is null. */
export function makeSummary<R extends SummaryResource>(
  resource: R,
  frame: SummaryFrame<R>,
  values: Partial<NewSummary<R>['values']>,
): NewSummary<R> {
  const columns = Object.entries(SUMMARY_TABLES[resource].columns)
  const empty = columns.map(([name, type]) => {
    return [name, type === 'integers' ? [] : type === 'json' ? '' : null]
  })
  return {
    resource,
    timeZone: '',
    calendarDate: null,
    deviceModel: '',
    ...frame,
    values: { ...Object.fromEntries(empty), ...values } as NewSummary<R>['values'],
  }
}

/** A time as part of the name of a record: `2024-03-01T17:44:00Z`. */
export function instantName(epochMilliseconds: number): string {
  return `${new Date(epochMilliseconds).toISOString().slice(0, 19)}Z`
}

/** Mean, least and most of some readings, or null. */
export function statisticsOf(
  values: readonly number[],
): { mean: number; minimum: number; maximum: number } | null {
  if (values.length === 0) return null
  const sum = values.reduce((total, value) => total + value, 0)
  const minimum = values.reduce((least, value) => Math.min(least, value))
  const maximum = values.reduce((most, value) => Math.max(most, value))
  return { mean: sum / values.length, minimum, maximum }
}
