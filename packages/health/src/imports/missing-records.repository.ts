import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { SampleOwner, SourceSeriesKey } from '../ingest/index.ts'
import { SUMMARY_TABLES, type SummaryResource } from '../summaries/index.ts'
import type { TimeRange } from './imported-data.repository.ts'

const OF_SERIES = `environment_id = {environmentId:UUID} and user_id = {userId:UUID}
    and series = {series:String} and provider = {provider:String}
    and samples.started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    and samples.started_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')`

/** Returns the number of samples of each source of a series within a range. */
export async function countSamples(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  series: string,
  range: TimeRange,
): Promise<{ key: SourceSeriesKey; count: number }[]> {
  const rows = await clickhouse.queryRows<{
    source_type: string
    app_id: string
    sample_type: string
    samples: number
  }>(
    `select source_type, app_id, sample_type, count() as samples
    from samples final where ${OF_SERIES}
    group by source_type, app_id, sample_type`,
    { ...owner, series, ...range },
  )
  return rows.map(
    ({ source_type: sourceType, app_id: appId, sample_type: sampleType, samples }) => ({
      key: { series, sourceType, appId, sampleType },
      count: samples,
    }),
  )
}

/**
 * Returns starts of the samples of a source series within a range that were last written no later
 * than a version.
 */
export async function listStarts(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  key: SourceSeriesKey,
  range: TimeRange,
  latestVersion: number,
): Promise<number[]> {
  const bytes = await clickhouse.queryBytes(
    `select toUnixTimestamp64Milli(samples.started_at)
    from samples final
    where ${OF_SERIES} and source_type = {sourceType:String} and app_id = {appId:String}
      and sample_type = {sampleType:String} and version <= {latestVersion:UInt64}`,
    { ...owner, ...key, ...range, latestVersion },
    'TabSeparated',
  )
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text === '' ? [] : text.trimEnd().split('\n').map(Number)
}

/**
 * Returns summaries of a resource that begin within a range, last written no later than a version.
 */
export function listSummariesWithin(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  resource: SummaryResource,
  range: TimeRange,
  latestVersion: number,
): Promise<{ id: string; source_type: string; app_id: string }[]> {
  const { table } = SUMMARY_TABLES[resource]
  return clickhouse.queryRows(
    `select id, source_type, app_id from ${table} final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and provider = {provider:String} and is_removed = 0 and version <= {latestVersion:UInt64}
      and ${table}.started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      and ${table}.started_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')`,
    { ...owner, ...range, latestVersion },
  )
}
