import { getUserRow } from '../../../accounts/users/index.ts'
import type { Scope } from '../../../platform/scope.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import { findSourceRanking } from '../../source-priorities/index.ts'
import { mergeDays } from '../../timeseries/index.ts'
import { listSummaries } from '../reading/summaries.repository.ts'
import { dateFilterOf, dateRulesOf } from '../reading/summary-dates.ts'
import { type Bound, periodOf } from '../reading/summary-period.ts'
import { composeDay, DAY_SERIES, sourceOfSummary } from './compose-day.ts'
import type { MergedActivity, MergedActivityQuery } from './merged-activity.schema.ts'

const dateOf = (bound: Bound): string =>
  'date' in bound ? bound.date : dateAtOffset(bound.instant, 0)

/**
 * Days of a person, all sources as one: one object for each local day that any source has data of, in
 * order of date.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function readMergedActivity(
  scope: Scope,
  userId: string,
  query: MergedActivityQuery,
): Promise<MergedActivity> {
  const user = await getUserRow(scope, userId)
  const now = scope.clock.now()
  const period = periodOf(query, dateRulesOf('activity'), now)
  const person = { userId: user.id, fallbackZone: user.fallback_time_zone }
  const filter = dateFilterOf('activity', period, now)
  const [series, rows, ranking] = await Promise.all([
    mergeDays(scope, user.id, DAY_SERIES, dateOf(period.from), dateOf(period.to)),
    listSummaries(scope, 'activity', person, '', filter),
    findSourceRanking(scope, user.id, 'activity'),
  ])
  const ranked = rows.toSorted((a, b) => ranking.compare(sourceOfSummary(a), sourceOfSummary(b)))
  const summaries = Map.groupBy(ranked, ({ calendar_date }) => calendar_date)
  const dates = new Set([
    ...[...series.values()].flatMap((days) => [...days.keys()]),
    ...summaries.keys(),
  ])
  return {
    activity: [...dates].sort().map((date) => {
      const samples = DAY_SERIES.map((name) => [name, series.get(name)?.get(date)])
      return composeDay(date, Object.fromEntries(samples), summaries.get(date) ?? [])
    }),
  }
}
