import { getUserRow, type UserRow } from '@salus/accounts/users'
import { DAY_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { findSourceRanking, type SourceRanking } from '../../source-priorities/index.ts'
import { dayNumber, listExtents, mergeDays } from '../../timeseries/index.ts'
import { listSummaries } from '../reading/summaries.repository.ts'
import { dateFilterOf, dateRulesOf } from '../reading/summary-dates.ts'
import { listSummaryExtents } from '../reading/summary-extents.repository.ts'
import { type Bound, periodOf } from '../reading/summary-period.ts'
import { composeDay, DAY_SERIES, type DaySeries, sourceOfSummary } from './compose-day.ts'
import type { MergedActivityDay, MergedActivityQuery } from './merged-activity.schema.ts'

/** Days composed at a time; their samples are in memory a month at a time. */
const CHUNK_DAYS = 366

const dateOf = (bound: Bound): string =>
  'date' in bound ? bound.date : dateAtOffset(bound.instant, 0)

const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/**
 * Yields the merged days of a user, a year at a time: one object for each local day with data of
 * any source, in order of date.
 * @param wanted Series whose samples are read; other fields then are those of summaries.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function* readMergedActivity(
  scope: Scope,
  userId: string,
  query: MergedActivityQuery,
  wanted: readonly DaySeries[] = DAY_SERIES,
): AsyncGenerator<MergedActivityDay[], void, undefined> {
  const user = await getUserRow(scope, userId)
  const now = scope.clock.now()
  const period = periodOf(query, dateRulesOf('activity'), now)
  const ranking = await findSourceRanking(scope, user.id, 'activity')
  const asked = [dayNumber(dateOf(period.from)), dayNumber(dateOf(period.to))] as const
  const { first, last, series } = period.isLong
    ? await cutToData(scope, user.id, asked, wanted)
    : { first: asked[0], last: asked[1], series: wanted }
  for (let day = first; day <= last; day += CHUNK_DAYS) {
    const from = dateOfDay(day)
    const to = dateOfDay(Math.min(last, day + CHUNK_DAYS - 1))
    yield mergeActivity(scope, user, { ranking, series, from, to, now })
  }
}

/** The local days to merge, both included, and the series with data. */
interface DaysToMerge {
  first: number
  last: number
  series: readonly DaySeries[]
}

/** Narrows a long range to the days that may have data. */
async function cutToData(
  scope: Scope,
  userId: string,
  [first, last]: readonly [number, number],
  wanted: readonly DaySeries[],
): Promise<DaysToMerge> {
  const [samples, summaries] = await Promise.all([
    listExtents(scope, userId),
    listSummaryExtents(scope, [userId]),
  ])
  const series = wanted.filter((name) => samples.some((extent) => extent.series === name))
  const extents = [
    ...samples.filter((extent) => series.some((name) => name === extent.series)),
    ...summaries.filter(({ resource }) => resource === 'activity'),
  ]
  // A sample may extend two days further, and local time be a day off.
  const oldest = Math.min(...extents.map((extent) => extent.oldest / DAY_MS)) - 2
  const newest = Math.max(...extents.map((extent) => extent.newest / DAY_MS)) + 4
  return {
    first: Math.max(first, Math.floor(oldest)),
    last: Math.min(last, Math.ceil(newest)),
    series,
  }
}

async function mergeActivity(
  scope: Scope,
  user: UserRow,
  part: {
    ranking: SourceRanking
    series: readonly DaySeries[]
    /** Calendar dates, both included. */
    from: string
    to: string
    now: Date
  },
): Promise<MergedActivityDay[]> {
  const { ranking, from, to, now } = part
  const person = { userId: user.id, fallbackZone: user.fallback_time_zone }
  const period = { from: { date: from }, to: { date: to }, isLong: false }
  const [series, rows] = await Promise.all([
    mergeDays(scope, user.id, part.series, from, to),
    listSummaries(scope, 'activity', person, '', dateFilterOf('activity', period, now)),
  ])
  const ranked = rows.toSorted((a, b) => ranking.compare(sourceOfSummary(a), sourceOfSummary(b)))
  const summaries = Map.groupBy(ranked, ({ calendar_date }) => calendar_date)
  const dates = new Set([
    ...[...series.values()].flatMap((days) => [...days.keys()]),
    ...summaries.keys(),
  ])
  return [...dates].sort().map((date) => {
    const samples = DAY_SERIES.map((name) => [name, series.get(name)?.get(date)])
    return composeDay(date, Object.fromEntries(samples), summaries.get(date) ?? [])
  })
}
