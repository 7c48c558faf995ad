import { DAY_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { dateAtOffset, formatInstant } from '@salus/kernel/time/instants'
import { runInSlices } from '@salus/kernel/time-slices'
import {
  findSourceRanking,
  findSourceRankings,
  type SourceRanking,
} from '../../source-priorities/index.ts'
import { dayNumber, toMergedSource } from '../../timeseries/index.ts'
import type { Person } from '../reading/stored-rows.ts'
import { loadPresenterContext, type SummaryQuery } from '../reading/summaries-reading.service.ts'
import { dateFilterOf, dateRulesOf } from '../reading/summary-dates.ts'
import { listSummaryExtents } from '../reading/summary-extents.repository.ts'
import { type Bound, type Period, periodOf } from '../reading/summary-period.ts'
import { type PresenterContext, presentSummary } from '../summary-presenters.ts'
import { mergeSessions } from './merge-sessions.ts'
import type { MergedSession, SetAsideRecord } from './merged-session.ts'
import type { SetAsideSummary } from './merged-sessions.schema.ts'
import type { SessionRecord, SessionResource } from './session-record.ts'
import { listSessionRecords, listSessions } from './sessions.repository.ts'

/** Days merged at a time. */
const CHUNK_DAYS = 366
/**
 * Whether a record counts depends on records around it, so merging reads this many days further on
 * both sides, and a day has the same sessions as the year around it.
 */
const MARGIN_DAYS = 3
const FIRST_DAY = dayNumber('0001-01-01')
const LAST_DAY = dayNumber('9999-12-31')

/**
 * Yields the sleeps or workouts of a user with all sources merged, so that each counts once, a year
 * at a time: the object of the record that counts, with the records that were set aside.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`, 404 for the user.
 */
export async function* readMergedSessions(
  scope: Scope,
  resource: SessionResource,
  userId: string,
  query: SummaryQuery,
  baseUrl: string,
): AsyncGenerator<object[], void, undefined> {
  const now = scope.clock.now()
  const period = periodOf(query, dateRulesOf(resource), now)
  const of = await loadPresenterContext(scope, userId, baseUrl)
  const ranking = await findSourceRanking(scope, of.userId, resource)
  const [first, last] = await daysToRead(scope, resource, of.userId, period)
  for (let day = first; day <= last; day += CHUNK_DAYS) {
    const to = Math.min(last, day + CHUNK_DAYS - 1)
    const part = { provider: query.provider, days: [day, to] as const, period, ranking }
    yield mergeDays(scope, resource, of, part)
  }
}

const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** Returns the filter of the records that decide about the sessions of some local days. */
function filterAround(scope: Scope, resource: SessionResource, first: number, last: number) {
  const read: Period = {
    from: { date: dateOfDay(Math.max(FIRST_DAY, first - MARGIN_DAYS)) },
    to: { date: dateOfDay(Math.min(LAST_DAY, last + MARGIN_DAYS)) },
    isLong: false,
  }
  return dateFilterOf(resource, read, scope.clock.now())
}

/** Returns the first and the last local day that a period may have records of. */
async function daysToRead(
  scope: Scope,
  resource: SessionResource,
  userId: string,
  { from, to, isLong }: Period,
): Promise<readonly [number, number]> {
  const dayOf = (bound: Bound, furtherDays: number): number =>
    'date' in bound
      ? dayNumber(bound.date)
      : dayNumber(dateAtOffset(bound.instant, 0)) + furtherDays
  // The local day of an instant is at most a day off.
  const asked = [dayOf(from, -1), dayOf(to, 1)] as const
  if (!isLong) return asked
  const extents = (await listSummaryExtents(scope, [userId])).filter(
    (extent) => extent.resource === resource,
  )
  const oldest = Math.min(...extents.map((extent) => extent.oldest / DAY_MS)) - MARGIN_DAYS
  const newest = Math.max(...extents.map((extent) => extent.newest / DAY_MS)) + MARGIN_DAYS
  return [Math.max(asked[0], Math.floor(oldest)), Math.min(asked[1], Math.ceil(newest))]
}

interface Part {
  /** Provider slug, or empty for all. */
  provider: string
  /** Local days since 1970-01-01, both included. */
  days: readonly [number, number]
  period: Period
  ranking: SourceRanking
}

async function mergeDays(
  scope: Scope,
  resource: SessionResource,
  of: PresenterContext,
  { provider, days: [first, last], period, ranking }: Part,
): Promise<object[]> {
  const dates = filterAround(scope, resource, first, last)
  const { rows, records } = await listSessions(scope, resource, of, provider, dates)
  const sessions = await runInSlices(mergeSessions(resource, records, ranking))
  const byId = new Map(sessions.map((session) => [session.record.id, session]))
  const [firstDate, lastDate] = [dateOfDay(first), dateOfDay(last)]
  return rows.flatMap((row, at) => {
    const session = byId.get(row.id)
    const record = records[at] as SessionRecord
    const isInPart = record.day >= firstDate && record.day <= lastDate
    if (session === undefined || !isInPart || !isInPeriod(resource, record, period)) return []
    return { ...presentSummary(resource, row, of), merged: toMerged(session) }
  })
}

/**
 * Returns the ids of records that do not count, among those of some local days and a little around
 * them.
 * @param preferred Slugs of providers that precede all others, highest first.
 * @throws AppError 400 `range_too_large`
 */
export async function listSetAsideIds(
  scope: Scope,
  resource: SessionResource,
  person: Person,
  [first, last]: readonly [number, number],
  preferred: readonly string[],
): Promise<string[]> {
  const dates = filterAround(scope, resource, first, last)
  const [rankings, records] = await Promise.all([
    findSourceRankings(scope, person.userId, [resource], preferred),
    listSessionRecords(scope, resource, person, dates),
  ])
  const ranking = rankings.get(resource) as SourceRanking
  const sessions = await runInSlices(mergeSessions(resource, records, ranking))
  return sessions.flatMap(({ setAside }) => setAside.map(({ record }) => record.id))
}

/** Records of one local day, each with its outcome by one ranking. */
export type DayOutcomes = Map<string, { record: SessionRecord; lost: SetAsideRecord | undefined }>

/**
 * Merges the records of one local day by several rankings, whatever rules are stored. Returns the
 * outcomes by record id, one map for each ranking.
 * @param date Calendar date of the user.
 * @throws AppError 400 `range_too_large`
 */
export async function mergeDayByRankings(
  scope: Scope,
  resource: SessionResource,
  person: Person,
  { date, rankings }: { date: string; rankings: readonly SourceRanking[] },
): Promise<DayOutcomes[]> {
  const day = dayNumber(date)
  const dates = filterAround(scope, resource, day, day)
  const records = await listSessionRecords(scope, resource, person, dates)
  const outcomes: DayOutcomes[] = []
  for (const ranking of rankings) {
    const sessions = await runInSlices(mergeSessions(resource, records, ranking))
    const all = sessions.flatMap(({ record, setAside }) => [
      { record, lost: undefined },
      ...setAside.map((lost) => ({ record: lost.record, lost })),
    ])
    const ofDay = all.filter(({ record }) => record.day === date)
    outcomes.push(new Map(ofDay.map((one) => [one.record.id, one])))
  }
  return outcomes
}

/** Whether a record is in a period as SQL selects it (reading/summary-dates.ts). */
function isInPeriod(
  resource: SessionResource,
  { day, startedAt, endedAt }: SessionRecord,
  { from, to }: Period,
): boolean {
  const instant = resource === 'sleep' ? endedAt : startedAt
  const isAfter = 'date' in from ? day >= from.date : instant >= from.instant
  return isAfter && ('date' in to ? day <= to.date : instant <= to.instant)
}

const toMerged = ({ setAside }: MergedSession) => ({ set_aside: setAside.map(toSetAside) })

const THOUSANDTHS = 1000

function toSetAside({ record, rule, overlap, wonBy, reason }: SetAsideRecord): SetAsideSummary {
  return {
    id: record.id,
    source: toMergedSource(record),
    start: formatInstant(record.startedAt),
    end: formatInstant(record.endedAt),
    calendar_date: record.day,
    rule,
    overlap: overlap === null ? null : Math.round(overlap * THOUSANDTHS) / THOUSANDTHS,
    won_by_id: wonBy.id,
    reason,
  }
}
