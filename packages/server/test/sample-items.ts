import { convertToCanonical, type Series } from '@salus/contracts/series'

/** A value that the series allows, in its own unit. */
function validValue(series: Series): number | string {
  if (series.valueKind === 'text') return 'After a walk'
  if (series.codes !== undefined) return series.codes.at(-1) as number
  return series.least === null ? 1 : Math.max(series.least, 0) + 1
}

/** A label that means the unit of the series itself. */
function ownUnitOf({ units, unitsByType, types }: Series): string {
  const table = unitsByType?.[types?.allowed?.[0] ?? ''] ?? units
  return Object.keys(table).find((label) => convertToCanonical(table, label, 7) === 7) ?? 'count'
}

/** One item of an upload that the series takes, made by a watch at the given time. */
export function validItem(series: Series, startDate: string): Record<string, unknown> {
  const fields = series.extraFields.map(({ name, allowed }) => [name, allowed[0]])
  const metadata = { ...Object.fromEntries(fields) }
  if (series.types !== null) metadata.type = series.types.allowed?.[0] ?? 'any'
  const quantity = {
    value: validValue(series),
    unit: ownUnitOf(series),
    start_date: startDate,
    end_date: startDate,
    type: 'watch',
    product_type: 'Watch7,5',
    source_bundle: 'com.example.health',
    metadata,
  }
  if (series.shape !== 'blood_pressure') return quantity
  return { systolic: { ...quantity, value: 120 }, diastolic: { ...quantity, value: 80 } }
}

/** The body of an upload with one valid item. */
export function validUpload(series: Series, startDate: string): object {
  return { stage: 'daily', provider: 'manual', data: [validItem(series, startDate)] }
}
