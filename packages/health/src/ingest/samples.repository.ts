import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { eraseRowsOfPeople, hideRows, type PersonRows } from '@salus/kernel/clickhouse/remove-rows'
import { INSERT_COLUMNS, type InsertedRows } from './inserted-rows.ts'
import type { SampleOwner } from './sample.ts'
import { timestampSql } from './sample-rows.ts'

/** Series of users within a time, both ends included, epoch milliseconds. */
export interface SampleRange {
  environmentIds: Set<string>
  userIds: Set<string>
  series: Set<string>
  from: number
  to: number
}

/** A cast of a literal would bind tighter than the sign of an instant before 1970. */
const instant = (epochMilliseconds: number): string =>
  `fromUnixTimestamp64Milli(toInt64(${epochMilliseconds}), 'UTC')`
const list = (texts: Set<string>): string => [...texts].map((text) => `'${text}'`).join(',')

/**
 * Returns stored samples within the ranges, as TabSeparated lines in the order of SAMPLE_COLUMNS.
 * Replaced versions may be among them: leaving them out would take the engine four times as long.
 * Ids and series names are checked before; only they and numbers enter the text.
 */
export async function findStoredSamples(
  clickhouse: ClickHouse,
  ranges: readonly SampleRange[],
): Promise<string> {
  if (ranges.length === 0) return ''
  const conditions = ranges.map(
    ({ environmentIds, userIds, series, from, to }) =>
      `(environment_id in (${list(environmentIds)}) and user_id in (${list(userIds)})` +
      ` and series in (${list(series)})` +
      ` and started_at between ${instant(from)} and ${instant(to)})`,
  )
  const bytes = await clickhouse.queryBytes(
    `select environment_id, user_id, series,
      ${timestampSql('started_at')}, provider, source_type, app_id, sample_type, workout_id,
      sport, ${timestampSql('ended_at')}, timezone_offset, time_zone, diastolic, text_value, extra,
      value, version
    from samples
    where ${conditions.join(' or ')}
    settings optimize_read_in_order = 0`,
    {},
    'TabSeparated',
  )
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

interface StoredExtent {
  environment_id: string
  user_id: string
  series: string
  /** Epoch milliseconds of the first and the last sample. */
  first: number
  last: number
}

/** Returns the start and end of series; series without data have no row. */
export function findExtents(
  clickhouse: ClickHouse,
  owners: readonly { environmentId: string; userId: string; series: string }[],
): Promise<StoredExtent[]> {
  const column = (read: (owner: (typeof owners)[number]) => string) =>
    list(new Set(owners.map(read)))
  return clickhouse.queryRows<StoredExtent>(
    `select environment_id, user_id, series, toUnixTimestamp64Milli(min(started_at)) as first,
      toUnixTimestamp64Milli(max(started_at)) as last
    from samples
    where environment_id in (${column((owner) => owner.environmentId)})
      and user_id in (${column((owner) => owner.userId)})
      and series in (${column((owner) => owner.series)})
    group by environment_id, user_id, series`,
  )
}

/** Stores rows; durable when it returns. */
export function insertSamples(clickhouse: ClickHouse, rows: InsertedRows): Promise<void> {
  return clickhouse.insert('samples', INSERT_COLUMNS, rows.toBlock())
}

/** Samples of one series, source and type. */
export interface SourceSeriesKey {
  series: string
  sourceType: string
  appId: string
  sampleType: string
}

/** Starts of the samples of one source series. */
export interface StartsOfSource extends Omit<SourceSeriesKey, 'appId'> {
  /** Epoch milliseconds. */
  starts: number[]
}

/** Returns the starts of samples that a provider's cloud sent, within a range. */
export async function findStartsOfSource(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  series: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<StartsOfSource[]> {
  if (series.length === 0) return []
  return clickhouse.queryRows<StartsOfSource>(
    `select series, source_type as sourceType, sample_type as sampleType,
      groupUniqArray(toUnixTimestamp64Milli(started_at)) as starts
    from samples
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and series in {series:Array(String)} and provider = {provider:String} and app_id = ''
      and started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      and started_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    group by series, source_type, sample_type`,
    { ...owner, series: [...series], from, to },
  )
}

/** Instants in one statement; a server accepts about a megabyte of parameters. */
const MOST_STARTS = 40_000

/** Removes samples of a source series by their starts, epoch milliseconds in order of time. */
export async function removeSamples(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  key: SourceSeriesKey,
  starts: readonly number[],
): Promise<void> {
  for (let first = 0; first < starts.length; first += MOST_STARTS) {
    const part = starts.slice(first, first + MOST_STARTS)
    await hideRows(clickhouse, {
      table: 'samples',
      condition: `environment_id = {environmentId:UUID} and user_id = {userId:UUID}
        and series = {series:String} and provider = {provider:String}
        and source_type = {sourceType:String} and app_id = {appId:String}
        and sample_type = {sampleType:String}
        and started_at between fromUnixTimestamp64Milli({from:Int64}, 'UTC')
          and fromUnixTimestamp64Milli({to:Int64}, 'UTC')
        and toUnixTimestamp64Milli(started_at) in {starts:Array(Int64)}`,
      parameters: { ...owner, ...key, starts: part, from: part[0] ?? 0, to: part.at(-1) ?? 0 },
    })
  }
}

/** Erases all samples of users. */
export function eraseSamples(clickhouse: ClickHouse, owners: readonly PersonRows[]): Promise<void> {
  return eraseRowsOfPeople(clickhouse, ['samples', 'quarantined_items'], owners)
}
