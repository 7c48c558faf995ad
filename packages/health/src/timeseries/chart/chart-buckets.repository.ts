import type { Series } from '@salus/contracts/series'
import { DAY_MS } from '@salus/contracts/time-units'
import { exactSumSql } from '@salus/kernel/clickhouse/exact-sum-sql'
import { fallbackZoneParameters, localOffsetSql } from '@salus/kernel/clickhouse/local-time-sql'
import type { Scope } from '@salus/kernel/scope'
import { SLOT_MS } from '../merged/local-slots.ts'
import type { MergedPeriod } from '../merged/merged-period.ts'
import { typeSql } from '../merged/merged-samples.repository.ts'
import type { LocalHour } from './local-times.ts'

export interface BucketFilter {
  userId: string
  series: Series
  /** Provider slug, or empty for all. */
  provider: string
  period: MergedPeriod
  /** The instants between which the period is. */
  from: number
  to: number
  /** Length of a bucket in milliseconds, at most a day. */
  bucketMs: number
  /** IANA zone of samples without an offset. */
  fallbackZone: string
}

/** Values of the engine about the samples of a bucket. */
export interface BucketValues {
  /**
   * For days the count of days since 1970-01-01, otherwise the instant at which the bucket begins.
   */
  key: number
  type: string
  /** Instant of the first sample, and the offset from UTC in seconds there. */
  first: number
  offset: number
  count: number
  sum: number
  min: number
  max: number
  last: number
  /** Diastolic pressure; the value is the systolic one. */
  diastolic_sum: number
  diastolic_min: number
  diastolic_max: number
  diastolic_last: number
}

/** A bucket of one source, identified by a code that is only valid within a few answers. */
export interface SourceBucket extends BucketValues {
  source: number
  provider: string
  source_type: string
  app_id: string
}

/** A bucket of the best source of each quarter of an hour. */
export interface MergedBucket extends BucketValues {
  /** Codes of the sources that count. */
  used: number[]
}

/** Days since 0001-01-01 keep local times above zero, which makes divisions simple. */
const EPOCH_DAYS = 719_162
const EPOCH_MS = EPOCH_DAYS * DAY_MS
/** Interval within which one source counts. */
export const QUARTER_MS = 900_000

const OFFSET = `1000 * toInt64(${localOffsetSql('started_at')})`
const LOCAL = `(toUnixTimestamp64Milli(started_at) + ${OFFSET})`

/** A number that fits a JavaScript number; texts as keys take the engine three times as long. */
const SOURCE_CODE = `bitAnd(cityHash64(provider) + 3 * cityHash64(source_type) + 7 * cityHash64(app_id),
  9007199254740991)`

const keySql = (ms: number): string =>
  ms === DAY_MS
    ? `intDiv(${LOCAL} + ${EPOCH_MS}, ${DAY_MS}) - ${EPOCH_DAYS}`
    : `intDiv(${LOCAL} + ${EPOCH_MS}, ${ms}) * ${ms} - ${EPOCH_MS} - ${OFFSET}`

function valuesSql(series: Series): string {
  const isPair = series.shape === 'blood_pressure'
  return `toUnixTimestamp64Milli(min(started_at)) as first,
    argMin(${localOffsetSql('started_at')}, started_at) as offset,
    count() as count, ${exactSumSql('value', 'added')} as sum, min(value) as min, max(value) as max,
    argMax(value, started_at) as last,
    ${isPair ? exactSumSql('diastolic', 'paired') : '0'} as diastolic_sum,
    ${isPair ? 'min(diastolic)' : '0'} as diastolic_min,
    ${isPair ? 'max(diastolic)' : '0'} as diastolic_max,
    ${isPair ? 'argMax(diastolic, started_at)' : '0'} as diastolic_last`
}

function whereSql({ provider, period }: BucketFilter): string {
  const { fromDay, toDay } = period
  const conditions = [
    'environment_id = {environmentId:UUID} and user_id = {userId:UUID} and series = {series:String}',
    `started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')`,
    `started_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')`,
  ]
  if (Number.isFinite(fromDay)) conditions.push(`${LOCAL} >= {fromDay:Int64} * ${DAY_MS}`)
  if (Number.isFinite(toDay)) conditions.push(`${LOCAL} < {toDay:Int64} * ${DAY_MS}`)
  if (provider !== '') conditions.push('provider = {provider:String}')
  return conditions.join(' and ')
}

function parametersOf({ environment }: Scope, filter: BucketFilter) {
  const { userId, series, from, to, provider, period, fallbackZone } = filter
  const { fromDay, toDay } = period
  return {
    environmentId: environment.id,
    ...{ userId, series: series.name, from, to, provider },
    fromDay: Number.isFinite(fromDay) ? fromDay : 0,
    toDay: Number.isFinite(toDay) ? toDay : 0,
    ...fallbackZoneParameters(fallbackZone),
  }
}

/** Returns buckets of every source in order of time; one more than `most` when there are more. */
export function listSourceBuckets(
  scope: Scope,
  filter: BucketFilter,
  most: number,
): Promise<SourceBucket[]> {
  return scope.clickhouse.queryRows(
    `select ${keySql(filter.bucketMs)} as key, ${SOURCE_CODE} as source, ${typeSql(filter.series)} as type,
      any(provider) as provider, any(source_type) as source_type, any(app_id) as app_id,
      ${valuesSql(filter.series)}
    from samples final
    where ${whereSql(filter)}
    group by key, source, type
    order by key, type
    limit {most:UInt32} + 1
    settings max_threads = 2, prefer_column_name_to_alias = 1`,
    { ...parametersOf(scope, filter), most },
  )
}

/**
 * Returns buckets of the highest-ranked source in each quarter of an hour, in order of time.
 * @param ranked Codes of the sources, from the best to the last.
 */
export function listMergedBuckets(
  scope: Scope,
  filter: BucketFilter,
  ranked: readonly number[],
): Promise<MergedBucket[]> {
  return scope.clickhouse.queryRows(
    `select bucket as key, type, min(first) as first, argMin(offset, first) as offset, sum(count) as count,
      ${exactSumSql('sum', 'total')} as sum, min(min) as min, max(max) as max, argMax(last, first) as last,
      0 as diastolic_sum, 0 as diastolic_min, 0 as diastolic_max, 0 as diastolic_last,
      groupUniqArray(source) as used
    from (
      select ${keySql(QUARTER_MS)} as quarter, any(${keySql(filter.bucketMs)}) as bucket,
        ${SOURCE_CODE} as source, ${typeSql(filter.series)} as type, ${valuesSql(filter.series)}
      from samples final
      where ${whereSql(filter)}
      group by quarter, source, type
      order by quarter, type, transform(source, {ranked:Array(UInt64)}, range(length({ranked:Array(UInt64)})))
      limit 1 by quarter, type
    )
    group by key, type
    order by key, type
    settings max_threads = 2, prefer_column_name_to_alias = 1`,
    { ...parametersOf(scope, filter), ranked },
  )
}

/** Time range of a series of a user, epoch milliseconds. */
interface SeriesExtent {
  series: string
  oldest: number
  newest: number
}

/** Returns the time range of each series of which a user has samples. */
export function listExtents(
  { clickhouse, environment }: Scope,
  userId: string,
): Promise<SeriesExtent[]> {
  return clickhouse.queryRows(
    `select series, toUnixTimestamp64Milli(min(started_at)) as oldest,
      toUnixTimestamp64Milli(max(started_at)) as newest
    from samples
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
    group by series`,
    { environmentId: environment.id, userId },
  )
}

/**
 * Returns, by the hour, the number of a user's samples with each local time. Samples without a
 * known place are left out: they follow the user's zone and are no evidence for it.
 */
export function listLocalHours(
  { clickhouse, environment }: Scope,
  userId: string,
): Promise<LocalHour[]> {
  return clickhouse.queryRows(
    `select intDiv(toUnixTimestamp64Milli(started_at) + ${EPOCH_MS}, ${SLOT_MS.hour}) as hour,
      assumeNotNull(timezone_offset) as offset,
      toUnixTimestamp64Milli(min(started_at)) as first, count() as count
    from samples
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and timezone_offset is not null
    group by hour, offset
    order by hour, offset
    settings max_threads = 2`,
    { environmentId: environment.id, userId },
  )
}
