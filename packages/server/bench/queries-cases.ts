import { ANCHOR } from './queries-data.ts'

/** One question, asked of Salus, of the bare engine and of PostgreSQL. */
export interface QueryCase {
  name: string
  body: object
  /** The bare statement; parameters environmentId and userId. */
  clickhouse: string
  /** The same of a table of rows; $1 is the person. */
  postgres: string
  goal: { ofBare?: number; ofPostgres?: number }
}

const heartRate = { timeseries: 'heartrate', field: 'value' }
const steps = { timeseries: 'steps', field: 'value' }
const func = (name: string, arg: object) => ({ func: name, arg })
const every = (unit: string) => ({
  date_trunc: { value: 1, unit },
  arg: { index: 'timeseries' },
})
const daily = {
  select: [func('min', heartRate), func('max', heartRate), func('mean', heartRate)],
  group_by: [every('day')],
}
const hourly = { select: [func('sum', steps)], group_by: [every('hour')] }

const past = (value: number, unit: string) => ({
  type: 'relative',
  anchor: ANCHOR,
  past: { value, unit },
})

/** One thread for narrow questions and two for wide ones, as is best for the bare engine too. */
const bareDaily = (days: number): string => `select
    toDate(started_at + toIntervalSecond(timezone_offset)) as day, min(value), max(value), avg(value)
  from samples final
  where environment_id = {environmentId:UUID} and user_id = {userId:UUID} and series = 'heartrate'
    and started_at >= toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC') - toIntervalDay(${days})
    and started_at < toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC')
  group by day order by day settings max_threads = ${days > 400 ? 2 : 1}`

const bareHourly = `select
    toStartOfHour(started_at + toIntervalSecond(timezone_offset)) as hour, sum(value)
  from samples final
  where environment_id = {environmentId:UUID} and user_id = {userId:UUID} and series = 'steps'
    and started_at >= toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC') - toIntervalDay(90)
    and started_at < toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC')
  group by hour order by hour`

const rowsDaily = (days: number): string => `select
    date_trunc('day', started_at at time zone 'UTC' + timezone_offset * interval '1 second') as day,
    min(value), max(value), avg(value)
  from query_samples where user_id = $1 and series = 'heartrate'
    and started_at >= timestamptz '${ANCHOR} 23:00:00+00' - interval '${days} days'
    and started_at < timestamptz '${ANCHOR} 23:00:00+00'
  group by day order by day`

const rowsHourly = `select
    date_trunc('hour', started_at at time zone 'UTC' + timezone_offset * interval '1 second') as hour,
    sum(value)
  from query_samples where user_id = $1 and series = 'steps'
    and started_at >= timestamptz '${ANCHOR} 23:00:00+00' - interval '90 days'
    and started_at < timestamptz '${ANCHOR} 23:00:00+00'
  group by hour order by hour`

export const QUERY_CASES: readonly QueryCase[] = [
  {
    name: 'daily min, max, mean of 1 year of 1-minute heart rate',
    body: { timeframe: past(365, 'day'), queries: [daily] },
    clickhouse: bareDaily(365),
    postgres: rowsDaily(365),
    goal: { ofBare: 1.3 },
  },
  {
    name: 'the same of 5 years, 2.6 million samples',
    body: { timeframe: past(5, 'year'), queries: [daily] },
    clickhouse: bareDaily(1826),
    postgres: rowsDaily(1826),
    goal: { ofBare: 1.3, ofPostgres: 20 },
  },
  {
    name: 'hourly steps of 90 days',
    body: { timeframe: past(90, 'day'), queries: [hourly] },
    clickhouse: bareHourly,
    postgres: rowsHourly,
    goal: { ofBare: 1.3 },
  },
]

/** Four questions in one call: the bare side asks them one after the other on its sessions. */
export const BATCH = {
  name: 'four queries in a batch, 90 days each',
  body: {
    timeframe: past(90, 'day'),
    queries: [
      daily,
      hourly,
      { select: [func('median', heartRate), func('stddev', heartRate)], group_by: [every('week')] },
      { select: [func('count', heartRate)], group_by: [every('hour')], where: 'value > 100' },
    ],
  },
}

const HEART_RATE_OF_90_DAYS = `from samples final
  where environment_id = {environmentId:UUID} and user_id = {userId:UUID} and series = 'heartrate'
    and started_at >= toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC') - toIntervalDay(90)
    and started_at < toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC')`
const LOCAL = 'started_at + toIntervalSecond(timezone_offset)'

export const BARE_BATCH: readonly string[] = [
  bareDaily(90),
  bareHourly,
  `select toMonday(${LOCAL}) as week, median(value), stddevSamp(value) ${HEART_RATE_OF_90_DAYS}
   group by week order by week`,
  `select toStartOfHour(${LOCAL}) as hour, count() ${HEART_RATE_OF_90_DAYS} and value > 100
   group by hour order by hour`,
]

/** 100,800 rows of two columns. */
export const PARQUET = {
  name: 'Parquet of 100,000 rows',
  body: {
    timeframe: past(70, 'day'),
    queries: [{ select: [{ index: 'timeseries' }, heartRate] }],
  },
  clickhouse: `select ${LOCAL} as timestamp, value from samples final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID} and series = 'heartrate'
      and started_at >= toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC') - toIntervalDay(70)
      and started_at < toDateTime64('${ANCHOR} 23:00:00', 3, 'UTC')
    order by timestamp`,
}
