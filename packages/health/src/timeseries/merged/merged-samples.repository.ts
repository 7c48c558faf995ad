import type { Series } from '@salus/contracts/series'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { runInSlices } from '@salus/kernel/time-slices'
import { readSampleColumns, type TypedSamples } from './sample-columns.ts'

/** Samples of one user and series that overlap [from, to), epoch milliseconds. */
interface MergeFilter {
  userId: string
  series: Series
  from: number
  to: number
  /** Provider slug, or empty for all. */
  provider: string
}

/** Samples are searched that began up to this long before the range. */
const LONGEST_SAMPLE_MS = 48 * HOUR_MS

/** Returns SQL of the type by which samples of a series are merged separately. */
export function typeSql({ name, types }: Series): string {
  // SDNN and RMSSD are different statistics.
  if (name === 'hrv') return "JSONExtractString(toString(extra), 'method')"
  return types?.required ? 'toString(sample_type)' : "''"
}

/**
 * Returns samples by source and type, each in order of time; sources in order of provider, source
 * type and app.
 */
export async function readMergeSamples(
  { clickhouse, environment }: Scope,
  filter: MergeFilter,
): Promise<TypedSamples[]> {
  const { userId, series, from, to, provider } = filter
  const bytes = await clickhouse.queryBytes(
    `select toString(provider) as of_provider, toString(source_type) as of_type,
      toString(app_id) as of_app, ${typeSql(series)} as type,
      groupArray(toFloat64(toUnixTimestamp64Milli(started_at))),
      groupArray(toFloat64(toUnixTimestamp64Milli(ended_at))),
      groupArray(value),
      groupArray(ifNull(toFloat64(timezone_offset), nan))
    from samples final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and series = {series:String}
      and started_at >= fromUnixTimestamp64Milli({earliest:Int64}, 'UTC')
      and started_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      and ended_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      ${provider === '' ? '' : 'and provider = {provider:String}'}
    group by of_provider, of_type, of_app, type
    order by of_provider, of_type, of_app`,
    {
      environmentId: environment.id,
      userId,
      series: series.name,
      from,
      to,
      earliest: from - LONGEST_SAMPLE_MS,
      provider,
    },
    'RowBinary',
  )
  return runInSlices(readSampleColumns(bytes))
}

/** Returns the start of the next sample, epoch milliseconds; undefined when there is none. */
export async function findNextSample(
  { clickhouse, environment }: Scope,
  { userId, series, provider, from }: Omit<MergeFilter, 'to'>,
): Promise<number | undefined> {
  const [row] = await clickhouse.queryRows<{ next: number }>(
    `select toUnixTimestamp64Milli(started_at) as next from samples
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and series = {series:String}
      and started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      ${provider === '' ? '' : 'and provider = {provider:String}'}
    order by started_at limit 1`,
    { environmentId: environment.id, userId, series: series.name, provider, from },
  )
  return row?.next
}
