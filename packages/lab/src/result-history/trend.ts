import type { PersonResult, TrendPeriod, TrendPoint, TrendQuery } from './result-history.schema.ts'

type Convert = (value: number, from: string) => Promise<number | null>

/**
 * Returns results as points of a trend in one unit, oldest first, without those that have no day,
 * no number, or a unit of another kind.
 */
export async function toTrendPoints(
  results: readonly PersonResult[],
  unit: string | null,
  convert: Convert,
): Promise<TrendPoint[]> {
  const points = await Promise.all(results.map((result) => toPoint(result, unit, convert)))
  return points.filter((point) => point !== null).toSorted((a, b) => a.date.localeCompare(b.date))
}

async function toPoint(
  result: PersonResult,
  unit: string | null,
  convert: Convert,
): Promise<TrendPoint | null> {
  const { number, date, loinc_code: code, ucum_unit: from } = result
  if (number === null || date === null || code === null) return null
  // Results without a unit are compared only with each other.
  if ((from === null) !== (unit === null)) return null
  const toUnit = async (value: number) =>
    from === null || from === unit ? value : convert(value, from)
  const value = await toUnit(number)
  if (value === null) return null
  const { min_range_value: low, max_range_value: high } = result
  return {
    source: result.source,
    order_id: result.order_id,
    parsing_job_id: result.parsing_job_id,
    date,
    loinc_code: code,
    value,
    comparator: result.comparator,
    original_value: result.value,
    original_unit: result.unit,
    min_range_value: low === null ? null : await toUnit(low),
    max_range_value: high === null ? null : await toUnit(high),
    interpretation: result.interpretation,
  }
}

/** Returns the points by calendar period, oldest first. Values with a comparator are left out. */
export function summarizePeriods(
  points: readonly TrendPoint[],
  period: NonNullable<TrendQuery['period']>,
): TrendPeriod[] {
  const counted = points.filter(({ comparator }) => comparator === null)
  const groups = Map.groupBy(counted, ({ date }) => firstDay(date, period))
  return [...groups].map(([start, group]) => {
    const values = group.map(({ value }) => value)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return {
      start_date: start,
      count: values.length,
      min: Math.min(...values),
      max: Math.max(...values),
      mean: Number(mean.toPrecision(10)),
      last: values.at(-1) as number,
    }
  })
}

function firstDay(date: string, period: NonNullable<TrendQuery['period']>): string {
  const year = date.slice(0, 4)
  if (period === 'year') return `${year}-01-01`
  const month = Number(date.slice(5, 7))
  const first = period === 'month' ? month : month - ((month - 1) % 3)
  return `${year}-${String(first).padStart(2, '0')}-01`
}
