import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { exactMeanSql, exactSumSql } from '@salus/kernel/clickhouse/exact-sum-sql'
import { fallbackZoneParameters, localOffsetSql } from '@salus/kernel/clickhouse/local-time-sql'
import type { SampleOwner } from '../ingest/index.ts'
import { type Reading, SUMMARY_TABLES } from '../summaries/index.ts'

/** A time range in epoch milliseconds; both ends are included. */
export interface TimeRange {
  from: number
  to: number
}

export interface StoredReading {
  series: string
  source_type: string
  app_id: string
  /** Epoch milliseconds. */
  started_at: number
  ended_at: number
  value: number
  /** As stored. */
  timezone_offset: number | null
  /** Further fields as JSON, or empty. */
  extra: string
}

/** Converts a stored sample to a reading of a session. */
export function toReading(stored: StoredReading): Reading {
  const { started_at: startedAt, ended_at: endedAt, value } = stored
  return { startedAt, endedAt, value, sourceType: stored.source_type, appId: stored.app_id }
}

/** A sample that began this long before a range may extend into it. */
const LONGEST_SAMPLE_MS = 6 * HOUR_MS

const OF_OWNER = `environment_id = {environmentId:UUID} and user_id = {userId:UUID}
    and series in {series:Array(String)}
    and samples.started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    and samples.started_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    and provider = {provider:String}`

const READING = `series, source_type, app_id, value, timezone_offset, extra,
      toUnixTimestamp64Milli(samples.started_at) as started_at,
      toUnixTimestamp64Milli(samples.ended_at) as ended_at`

/** Returns samples of one provider that overlap one of the ranges, in order of start. */
export async function listReadingsWithin(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  series: readonly string[],
  ranges: readonly TimeRange[],
): Promise<StoredReading[]> {
  if (ranges.length === 0) return []
  const starts = ranges.map(({ from }) => from)
  const ends = ranges.map(({ to }) => to)
  return clickhouse.queryRows<StoredReading>(
    `select ${READING}
    from samples final
    where ${OF_OWNER}
      and arrayExists((a, b) -> toUnixTimestamp64Milli(samples.ended_at) >= a
        and toUnixTimestamp64Milli(samples.started_at) <= b,
        {starts:Array(Int64)}, {ends:Array(Int64)})
    order by samples.started_at, series, source_type, app_id, value`,
    {
      ...owner,
      series,
      starts,
      ends,
      from: Math.min(...starts) - LONGEST_SAMPLE_MS,
      to: Math.max(...ends),
    },
  )
}

/** Local days are counted from 1970-01-01, both ends included. */
export interface DayRange {
  firstDay: number
  lastDay: number
}

function dayParameters({ firstDay, lastDay }: DayRange) {
  // Time zones are at most 14 hours off.
  const margin = DAY_MS
  return {
    firstDay,
    lastDay,
    from: firstDay * DAY_MS - margin,
    to: (lastDay + 1) * DAY_MS + margin,
  }
}

const LOCAL_MS = (column: string): string =>
  `(toUnixTimestamp64Milli(samples.${column}) + 1000 * ${localOffsetSql('samples.started_at')})`

/** Returns the heart rates of each local day. */
export function listDailyHeartRates(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  days: DayRange,
  fallbackZone: string,
): Promise<{ day: number; mean: number; minimum: number; maximum: number; offset: number }[]> {
  return clickhouse.queryRows(
    `select toInt32(floor(${LOCAL_MS('started_at')} / ${DAY_MS})) as day,
      ${exactMeanSql('value', 'rate')} as mean, min(value) as minimum, max(value) as maximum,
      argMax(${localOffsetSql('samples.started_at')}, samples.started_at) as offset
    from samples final
    where ${OF_OWNER}
    group by day having day >= {firstDay:Int32} and day <= {lastDay:Int32}
    order by day`,
    {
      ...owner,
      ...dayParameters(days),
      ...fallbackZoneParameters(fallbackZone),
      series: ['heartrate'],
    },
  )
}

interface DailyAmount {
  series: string
  day: number
  /** In proportion to time where a sample extends over midnight. */
  amount: number
  /** Offset from UTC in seconds at the last sample of the day. */
  offset: number
}

/** Returns amounts by series and local day, for series with one source within the days. */
export function listDailyAmounts(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  series: readonly string[],
  days: DayRange,
  fallbackZone: string,
): Promise<DailyAmount[]> {
  return clickhouse.queryRows(
    `select series, day, ${exactSumSql('value * share', 'part')} as amount, argMax(local_offset, local_start) as offset
    from (
      select series, value, ${localOffsetSql('samples.started_at')} as local_offset,
        ${LOCAL_MS('started_at')} as local_start, ${LOCAL_MS('ended_at')} as local_end,
        arrayJoin(range(toInt32(floor(local_start / ${DAY_MS})),
          toInt32(floor(greatest(local_start, local_end - 1) / ${DAY_MS})) + 1)) as day,
        if(local_end > local_start,
          (least(local_end, (day + 1) * ${DAY_MS}) - greatest(local_start, day * ${DAY_MS}))
            / (local_end - local_start), 1) as share
      from samples final
      where ${OF_OWNER}
    )
    group by series, day having day >= {firstDay:Int32} and day <= {lastDay:Int32}
    order by series, day`,
    { ...owner, ...dayParameters(days), ...fallbackZoneParameters(fallbackZone), series },
  )
}

/** Returns the number of sources of each series within some days. */
export async function countSources(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  series: readonly string[],
  days: DayRange,
): Promise<Map<string, number>> {
  const rows = await clickhouse.queryRows<{ series: string; sources: number }>(
    `select series, uniqExact(source_type, app_id) as sources
    from samples where ${OF_OWNER} group by series`,
    { ...owner, ...dayParameters(days), series },
  )
  return new Map(rows.map((row) => [row.series, row.sources]))
}

/** Returns all samples of some series that may belong to some days. */
export function listReadingsOfDays(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  series: readonly string[],
  days: DayRange,
): Promise<StoredReading[]> {
  return clickhouse.queryRows(
    `select ${READING} from samples final where ${OF_OWNER} order by samples.started_at`,
    { ...owner, ...dayParameters(days), series },
  )
}

/** Returns ids of activities of one provider and some days that were made of samples alone. */
export async function listDaysOfSamples(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  dates: readonly string[],
): Promise<string[]> {
  if (dates.length === 0) return []
  const rows = await clickhouse.queryRows<{ id: string }>(
    `select id from activity_summaries final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and provider = {provider:String} and source_type = 'multiple_sources' and is_removed = 0
      and external_id in {dates:Array(String)}
      and raw = concat('{"dateComponents":"', external_id, '"}')
      and heart_rate_resting is null and heart_rate_mean_walking is null
      and duration_active_second is null
    order by id`,
    { ...owner, dates },
  )
  return rows.map(({ id }) => id)
}

/** Facts of a day beside its samples from an earlier import. */
export interface StoredDayFacts {
  /** YYYY-MM-DD */
  date: string
  /** Microseconds since 1970. */
  version: number
  /** Offset from UTC in seconds at the end of the day, or null when unknown. */
  timezone_offset: number | null
  heart_rate_resting: number | null
  heart_rate_mean_walking: number | null
  duration_active_second: number | null
  calories_active: number | null
  /** The item as it was received. */
  raw: unknown
}

/** Returns the facts of some days of one provider, as exports brought them. */
export async function listDayFacts(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  dates: readonly string[],
): Promise<StoredDayFacts[]> {
  const rows = await clickhouse.queryRows<StoredDayFacts & { raw: string }>(
    `select external_id as date, version, timezone_offset, heart_rate_resting,
      heart_rate_mean_walking, duration_active_second, calories_active, raw
    from ${SUMMARY_TABLES.activity.table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and provider = {provider:String} and source_type = 'multiple_sources' and app_id = ''
      and is_removed = 0 and external_id in {dates:Array(String)}`,
    { ...owner, dates },
  )
  return rows.map((row) => ({ ...row, raw: JSON.parse(row.raw) }))
}

export interface StoredSleep {
  id: string
  app_id: string
  started_at: number
  ended_at: number
  /** Microseconds since 1970. */
  version: number
}

/** Returns sleeps of one provider that overlap a range of time. */
export function listStoredSleeps(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  { from, to }: TimeRange,
): Promise<StoredSleep[]> {
  return clickhouse.queryRows<StoredSleep>(
    `select id, app_id, version, toUnixTimestamp64Milli(sleep_summaries.started_at) as started_at,
      toUnixTimestamp64Milli(sleep_summaries.ended_at) as ended_at
    from sleep_summaries final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and provider = {provider:String} and is_removed = 0
      and sleep_summaries.started_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      and sleep_summaries.ended_at > fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    order by sleep_summaries.started_at, id`,
    { ...owner, from, to },
  )
}

const SUMMARIES_OF_EXPORTS = ['activity', 'sleep', 'workouts', 'body', 'profile'] as const

/**
 * Returns the latest version within [from, to] of any summary of one provider, in microseconds; 0
 * for none.
 */
export async function findLatestVersion(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  from: number,
  to: number,
): Promise<number> {
  const tables = SUMMARIES_OF_EXPORTS.map((name) => SUMMARY_TABLES[name].table)
  const rows = await clickhouse.queryRows<{ latest: number }>(
    tables
      .map(
        (table) => `select max(version) as latest from ${table}
        where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
          and provider = {provider:String}
          and version >= {from:UInt64} and version <= {to:UInt64}`,
      )
      .join(' union all '),
    { ...owner, from: String(from), to: String(to) },
  )
  return Math.max(0, ...rows.map(({ latest }) => latest))
}
