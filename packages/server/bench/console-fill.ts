import { join } from 'node:path'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { openEmbeddedClickHouse } from '@salus/kernel/clickhouse/embedded-clickhouse'

/**
 * `console-fill.ts <data directory> <user id>`: five years of samples for one person in the store
 * of a stopped server. A program of its own, because a process opens one folder only.
 */
const [directory = '', userId = ''] = process.argv.slice(2)

const DAYS = 1826
/** Begins some years ago and ends with the day before this one. */
const START = `toStartOfDay(now('UTC')) - toIntervalDay(${DAYS})`

interface SeriesToFill {
  series: string
  everyMinutes: number
  lengthMinutes: number
  source: string
  /** Of `at`, its hour `h`, and `r`, a random number from 0 to 1. */
  value: string
  diastolic?: string
  /** Which samples are left out. */
  where?: string
}

const WATCH = `'apple_health_kit', 'watch', 'com.example.watch'`
const PHONE = `'apple_health_kit', 'phone', 'com.example.phone'`
const AWAKE = '(h between 7 and 22)'
/** An hour of charging, and a week of holidays without the watch. */
const WORN = 'h != 20 and toDayOfYear(at) not between 200 and 206'

const ALL: readonly SeriesToFill[] = [
  {
    series: 'heartrate',
    everyMinutes: 1,
    lengthMinutes: 0,
    source: WATCH,
    value: `round(54 + 14 * ${AWAKE} + 9 * r + 6 * sin(toUnixTimestamp(at) / 4000)
      + if(h = 18 and toDayOfWeek(at) in (2, 4, 6), 62 + 18 * r, 0))`,
    where: WORN,
  },
  {
    series: 'steps',
    everyMinutes: 1,
    lengthMinutes: 1,
    source: WATCH,
    value: `round(if(h = 18 and toDayOfWeek(at) in (2, 4, 6), 150, 40) * r)`,
    where: `${AWAKE} and ${WORN} and cityHash64(at, 's') % 4 = 0`,
  },
  {
    series: 'steps',
    everyMinutes: 10,
    lengthMinutes: 10,
    source: PHONE,
    value: 'round(190 * r)',
    where: '(h between 8 and 21)',
  },
  {
    series: 'glucose',
    everyMinutes: 5,
    lengthMinutes: 0,
    source: `'freestyle_libre', 'cgm', ''`,
    value: `round(5.1 + 0.5 * r + 3.2 * exp(-pow((toMinute(at) + 60 * h - 480) / 50, 2))
      + 4.4 * exp(-pow((toMinute(at) + 60 * h - 780) / 60, 2))
      + 3.8 * exp(-pow((toMinute(at) + 60 * h - 1170) / 60, 2)) - 1.5 * (h between 2 and 4) * (toDayOfWeek(at) = 3), 1)`,
  },
  {
    series: 'body_weight',
    everyMinutes: 1440,
    lengthMinutes: 0,
    source: `'withings', 'scale', ''`,
    value: 'round(78 + 4 * sin(toUnixTimestamp(at) / 20000000) + 0.8 * r, 1)',
    where: 'cityHash64(at) % 3 != 0',
  },
  {
    series: 'blood_pressure',
    everyMinutes: 2880,
    lengthMinutes: 0,
    source: `'omron', 'cuff', ''`,
    value: 'round(118 + 20 * r)',
    diastolic: 'round(72 + 16 * r)',
  },
]

async function fill(clickhouse: ClickHouse, environmentId: string): Promise<void> {
  for (const one of ALL) {
    await clickhouse.command(
      `insert into samples (environment_id, user_id, series, started_at, ended_at, provider, source_type,
        app_id, timezone_offset, value, diastolic, version)
      select {environmentId:UUID}, {userId:UUID}, '${one.series}', at,
        at + toIntervalMinute(${one.lengthMinutes}), ${one.source}, 0, ${one.value}, ${one.diastolic ?? '0'}, 1
      from (
        select toDateTime64(${START}, 3, 'UTC') + toIntervalMinute(number * ${one.everyMinutes}) as at,
          toHour(at) as h, cityHash64(number, '${one.series}') % 1000 / 1000 as r
        from numbers(${Math.floor((DAYS * 1440) / one.everyMinutes)})
      )
      where ${one.where ?? '1'}`,
      { environmentId, userId },
    )
  }
}

const clickhouse = await openEmbeddedClickHouse({ directory: join(directory, 'clickhouse') })
const [row] = await clickhouse.queryRows<{ environment_id: string }>(
  'select environment_id from samples where user_id = {userId:UUID} limit 1',
  { userId },
)
if (row === undefined) throw new Error('the sample of the person is not stored')
await fill(clickhouse, row.environment_id)
await clickhouse.close()
