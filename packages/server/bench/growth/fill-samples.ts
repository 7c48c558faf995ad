import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'

/** Samples and summaries of many people, written by the engine itself. */

const PEOPLE_OF_AN_INSERT = 2_000
/** The days of every person begin here. */
const FIRST_DAY = '2025-01-01'
export const DAYS = 365
/** The last days have heart rate by the minute, the others every ten minutes. */
export const MINUTE_DAYS = 28
const SLICE_DAYS = 28

/** Whose rows, in the order of their ids. */
interface Slice {
  environmentId: string
  ids: readonly string[]
  firstDay: number
  days: number
}

/**
 * A year of heart rate, steps and variability, and as many nights and days of activity. An insert
 * has four weeks of many people, so that parts overlap in people as those of uploads do.
 * @returns rows in `samples` that were written
 */
export async function fillSamples(
  clickhouse: ClickHouse,
  environmentId: string,
  people: readonly string[],
): Promise<void> {
  // UUIDs are sorted by their second half first.
  const ordered = people.toSorted((a, b) => (a.slice(19) < b.slice(19) ? -1 : 1))
  for (let firstDay = 0; firstDay < DAYS; firstDay += SLICE_DAYS) {
    for (let from = 0; from < ordered.length; from += PEOPLE_OF_AN_INSERT) {
      const days = Math.min(SLICE_DAYS, DAYS - firstDay)
      const ids = ordered.slice(from, from + PEOPLE_OF_AN_INSERT)
      await fillSlice(clickhouse, { environmentId, ids, firstDay, days })
    }
  }
  await fillSummaries(clickhouse, environmentId, ordered)
}

async function fillSlice(clickhouse: ClickHouse, { days, ...slice }: Slice): Promise<void> {
  const isLast = slice.firstDay + days > DAYS - MINUTE_DAYS
  const every = isLast ? 1 : 10
  await fillSeries(clickhouse, slice, {
    ...{ series: 'heartrate', every, length: 0, count: (days * 1440) / every },
    value: '54 + 14 * (toHour(at) between 7 and 22) + cityHash64(at, p) % 12',
  })
  await fillSeries(clickhouse, slice, {
    ...{ series: 'steps', every: 60, length: 60, count: days * 24 },
    value: '(toHour(at) between 7 and 22) * (cityHash64(at, p) % 900)',
  })
  await fillSeries(clickhouse, slice, {
    ...{ series: 'hrv', every: 240, length: 0, count: days * 6 },
    value: '20 + cityHash64(at, p) % 60',
  })
}

interface Series {
  series: string
  /** Minutes between samples, and of each. */
  every: number
  length: number
  count: number
  /** Of the time `at` and the number `p` of the person. */
  value: string
}

/** Blocks as large as those of full batches of uploads; a small one would make many parts. */
const INSERT = `settings max_threads = 1, max_insert_threads = 1, max_insert_block_size = 2000000,
  min_insert_block_size_rows = 2000000, min_insert_block_size_bytes = 0`

function fillSeries(
  clickhouse: ClickHouse,
  { environmentId, ids, firstDay }: Omit<Slice, 'days'>,
  { series, every, length, count, value }: Series,
): Promise<void> {
  return clickhouse.command(
    `insert into samples (environment_id, user_id, series, started_at, ended_at, provider,
      source_type, app_id, timezone_offset, value, version)
    select {environmentId:UUID}, user_id, '${series}',
      toDateTime64('${FIRST_DAY} 00:00:00', 3, 'UTC') + toIntervalMinute(
        ${firstDay * 1440} + n * ${every}) as at,
      at + toIntervalMinute(${length}), 'health_connect', 'watch', 'com.example.watch', 0,
      ${value}, toUInt64(toUnixTimestamp64Milli(at)) * 1000 + n
    from (
      select tupleElement(pair, 1) as user_id, tupleElement(pair, 2) as p
      from (select arrayJoin(arrayZip({ids:Array(UUID)}, range(${ids.length}))) as pair)
    )
    array join range(${count}) as n
    ${INSERT}`,
    { environmentId, ids: `[${ids.map((id) => `'${id}'`).join(',')}]` },
  )
}

async function fillSummaries(
  clickhouse: ClickHouse,
  environmentId: string,
  people: readonly string[],
): Promise<void> {
  for (let from = 0; from < people.length; from += PEOPLE_OF_AN_INSERT) {
    const ids = people.slice(from, from + PEOPLE_OF_AN_INSERT)
    const parameters = { environmentId, ids: `[${ids.map((id) => `'${id}'`).join(',')}]` }
    const rows = `from (select arrayJoin({ids:Array(UUID)}) as user_id) array join range(${DAYS}) as n
      ${INSERT}`
    const common = `{environmentId:UUID}, user_id, generateUUIDv4(cityHash64(n, user_id)), 'health_connect', 'watch',
      'com.example.watch', concat('day-', toString(n)), toDate32('${FIRST_DAY}') + n as day,
      toDateTime64(day, 3, 'UTC') as at, at + toIntervalHour(7), 0,
      concat('{"id":"day-', toString(n), '"}'), cityHash64(n, user_id), at, at, n + 1, 0`
    const columns = `environment_id, user_id, id, provider, source_type, app_id, external_id,
      calendar_date, started_at, ended_at, timezone_offset, raw, content_hash, created_at, updated_at,
      version, is_removed`
    await clickhouse.command(
      `insert into activity_summaries (${columns}, steps, distance_meter, calories_total,
        calories_active)
      select ${common}, cityHash64(n, user_id) % 12000 as s, s * 0.7, 2000 + s * 0.03, s * 0.03
      ${rows}`,
      parameters,
    )
    await clickhouse.command(
      `insert into sleep_summaries (${columns}, duration_second, stage_asleep_second,
        stage_awake_second, stage_light_second, stage_rem_second, stage_deep_second,
        heart_rate_minimum, heart_rate_mean, stage_start_offset_second, stage_end_offset_second,
        stage_type)
      select ${common}, 25200, 24000, 1200, 14400, 4800, 4800, 44 + n % 9, 52 + n % 9,
        arrayMap(i -> toInt32(i * 1200), range(21)), arrayMap(i -> toInt32(i * 1200 + 1200), range(21)),
        arrayMap(i -> toInt32(1 + cityHash64(i, n, user_id) % 4), range(21))
      ${rows}`,
      parameters,
    )
  }
}

/** Samples as they are stored. */
export interface StoredSize {
  rows: number
  bytes: number
  parts: number
}

/** Waits until the engine has merged what it wants to, as in an hour without uploads. */
export async function waitForMerges(clickhouse: ClickHouse): Promise<StoredSize> {
  for (let quiet = 0; quiet < 3; ) {
    const [merges] = await clickhouse.queryRows<{ count: number }>(
      'select count() as count from system.merges',
    )
    quiet = Number(merges?.count) === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
  const [size] = await clickhouse.queryRows<StoredSize>(
    `select sum(rows) as rows, sum(bytes_on_disk) as bytes, count() as parts from system.parts
    where active and table = 'samples' and database = currentDatabase()`,
  )
  return { rows: Number(size?.rows), bytes: Number(size?.bytes), parts: Number(size?.parts) }
}
