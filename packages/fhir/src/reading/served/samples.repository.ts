import type { Scope } from '@salus/kernel/scope'
import type { SampleRow } from '../../resources/index.ts'
import type { RowPage } from './row-page.ts'

export interface ServedSampleRow extends SampleRow {
  /** Hash of the natural key besides the person and the time. */
  key: string
  /** Milliseconds of the epoch. */
  at: number
  /** Milliseconds of the epoch at which the sample was stored or written by its source. */
  changed_at: number
}

export interface SampleFilter {
  userId: string
  series: readonly string[]
  /** Start of the sample, in milliseconds of the epoch. */
  from?: number | undefined
  until?: number | undefined
  /** Only these, by their start and key. */
  samples?: readonly { at: number; key: string }[] | undefined
  /** Stored or written at this time or later, and before this one, in milliseconds. */
  since?: number | undefined
  before?: number | undefined
}

const KEY =
  'lower(hex(sipHash64(series, provider, source_type, app_id, sample_type, toString(workout_id))))'
const AT = 'toUnixTimestamp64Milli(started_at)'

/** Lists samples of a person by their start. */
export function listSamples(
  { clickhouse, environment }: Scope,
  { userId, series, from, until, samples, since, before }: SampleFilter,
  { order, after, limit, isIncluded }: RowPage,
): Promise<ServedSampleRow[]> {
  if (series.length === 0) return Promise.resolve([])
  const isNewest = order === 'newest'
  const conditions = [
    from !== undefined && `${AT} >= {from:Int64}`,
    until !== undefined && `${AT} < {until:Int64}`,
    since !== undefined && 'version >= {since:Int64} * 1000',
    before !== undefined && 'version < {before:Int64} * 1000',
    samples !== undefined &&
      `${AT} in {times:Array(Int64)} and has(arrayZip({times:Array(Int64)}, {keys:Array(String)}), (${AT}, ${KEY}))`,
    after !== null &&
      `(${AT}, ${KEY}) ${isNewest ? '<' : '>'}${isIncluded ? '=' : ''} ({at:Int64}, {after:String})`,
  ].filter((condition) => condition !== false)
  return clickhouse.queryRows<ServedSampleRow>(
    `select series, started_at, ended_at, provider, source_type, app_id, sample_type,
      toString(workout_id) as workout_id, timezone_offset, value, diastolic, text_value,
      ${KEY} as key, ${AT} as at, intDiv(version, 1000) as changed_at
    from (select * from samples final where environment_id = {environmentId:UUID}
      and user_id = {userId:UUID} and has({series:Array(String)}, series)
      ${conditions.length > 0 ? `and ${conditions.join(' and ')}` : ''})
    order by at ${isNewest ? 'desc' : ''}, key ${isNewest ? 'desc' : ''} limit {limit:UInt32}
    settings date_time_output_format = 'iso'`,
    {
      environmentId: environment.id,
      userId,
      series,
      limit,
      ...(from !== undefined && { from: String(from) }),
      ...(until !== undefined && { until: String(until) }),
      ...(since !== undefined && { since: String(since) }),
      ...(before !== undefined && { before: String(before) }),
      ...(samples !== undefined && {
        times: samples.map(({ at }) => at),
        keys: samples.map(({ key }) => key),
      }),
      ...(after !== null && { at: String(after.at), after: after.id }),
    },
  )
}
