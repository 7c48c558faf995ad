import { getUserRow } from '@salus/accounts/users'
import { badRequest } from '@salus/kernel/errors'
import { integerKey, KeysetPages } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import { listAllResults } from './list-results.ts'
import type {
  PersonResult,
  PersonResultQuery,
  ResultTrend,
  TrendQuery,
} from './result-history.schema.ts'
import { summarizePeriods, toTrendPoints } from './trend.ts'

type Filter = Pick<TrendQuery, 'source' | 'start_date' | 'end_date'>

const PAGES = new KeysetPages({ start: integerKey(1) })

/**
 * Returns a page of the results of a person, newest first.
 * @throws AppError 404, and 400 `invalid_cursor` or `invalid_date_range`
 */
export async function listPersonResults(scope: Scope, userId: string, query: PersonResultQuery) {
  const { limit, next_cursor: cursor, loinc_code: code, ...filter } = query
  const user = await getUserRow(scope, userId)
  const about = ['person_results', scope.environment.id, user.id, code, filter]
  const start = PAGES.read(about, cursor)?.start ?? 0
  const all = filterResults(await listAllResults(scope, user.id), filter).filter(
    (result) => code === undefined || result.loinc_code === code,
  )
  const end = start + limit
  return {
    results: all.slice(start, end),
    next_cursor: PAGES.write(about, end < all.length ? { start: end } : null),
  }
}

/**
 * Returns the results of a person with the measurement of a code, in the requested unit or that of
 * the newest result.
 * @throws AppError 404, and 400 `invalid_unit` or `invalid_date_range`
 */
export async function showTrend(
  scope: Scope,
  userId: string,
  query: TrendQuery,
): Promise<ResultTrend> {
  const { loinc_code: code, unit: asked, period, ...filter } = query
  const user = await getUserRow(scope, userId)
  const { convertValue, findMeasurement, toUcum } = await import(
    '@salus/lab-report-parser/measurements'
  )
  const askedUnit = asked === undefined ? null : toUcum(asked)
  if (asked !== undefined && askedUnit === null) {
    throw badRequest('invalid_unit', 'The unit is unknown.')
  }
  const measurement = findMeasurement(code)
  const isSame = ({ loinc_code: other }: PersonResult) =>
    other !== null &&
    (other === code ||
      (measurement !== undefined && findMeasurement(other)?.key === measurement.key))
  const found = filterResults(await listAllResults(scope, user.id), filter).filter(isSame)
  const unit =
    askedUnit ??
    found.find((result) => result.number !== null && result.ucum_unit !== null)?.ucum_unit ??
    null
  const points = await toTrendPoints(found, unit, (value, from) =>
    unit === null ? Promise.resolve(null) : convertValue(value, { from, to: unit, measurement }),
  )
  return {
    loinc_codes: [...new Set(points.map((point) => point.loinc_code))].sort(),
    unit,
    points,
    periods: period === undefined ? null : summarizePeriods(points, period),
    left_out: found.length - points.length,
  }
}

/** Filters results by day and source. A result without a day matches no range of days. */
function filterResults(
  results: PersonResult[],
  { source, start_date: start, end_date: end }: Filter,
): PersonResult[] {
  if (start !== undefined && end !== undefined && start > end) {
    throw badRequest('invalid_date_range', 'The start_date is later than the end_date.')
  }
  return results.filter(
    (result) =>
      (source === undefined || result.source === source) &&
      (start === undefined || (result.date !== null && result.date >= start)) &&
      (end === undefined || (result.date !== null && result.date <= end)),
  )
}
