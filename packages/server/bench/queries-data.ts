import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type pg from 'pg'
import { createClient } from './client.ts'
import type { ServerProcess } from './server-process.ts'

/** The last day of all questions. */
export const ANCHOR = '2025-12-31'
const DAYS = 1826
const MINUTES_OF_A_DAY = 1440
/** One sample a minute for five years, the first one at 2021-01-01 00:00 UTC. */
export const HEART_RATES = DAYS * MINUTES_OF_A_DAY
const STEP_DAYS = 90
const OTHER_USERS = 10_000
const SAMPLES_OF_OTHERS = 200

/** Whose rows; all stores hold the same ones. */
export interface Person {
  environmentId: string
  userId: string
}

/** Makes a person over HTTP, with one sample from which the environment is learned. */
export async function makePerson(server: ServerProcess): Promise<string> {
  const client = createClient(server, 1)
  const userId = await client.makeUser()
  const at = '2020-01-01T00:00:00Z'
  const sample = { value: 60, unit: 'bpm', start_date: at, end_date: at }
  const body = { stage: 'daily', provider: 'health_connect', data: [sample] }
  await client.call('POST', `/v2/timeseries/${userId}/heartrate`, JSON.stringify(body))
  await client.close()
  return userId
}

const FILL = fileURLToPath(new URL('queries-fill.ts', import.meta.url))

/** Fills the store of a stopped server; the engine writes the rows itself. */
export function fillServer(directory: string, userId: string): Person {
  const printed = execFileSync(process.execPath, [FILL, directory, userId], { encoding: 'utf8' })
  return { environmentId: printed.trim(), userId }
}

/** Five years of heart rate, ninety days of steps, and the samples of ten thousand other people. */
export async function fill(clickhouse: ClickHouse, person: Person): Promise<void> {
  const { environmentId, userId } = person
  const columns = `(environment_id, user_id, series, started_at, ended_at, provider, source_type,
    app_id, timezone_offset, value, version)`
  const source = `'health_connect', 'watch', 'com.example.watch', 3600`
  await clickhouse.command(
    `insert into samples ${columns}
    select {environmentId:UUID}, {userId:UUID}, 'heartrate',
      toDateTime64('2021-01-01 00:00:00', 3, 'UTC') + toIntervalMinute(number) as at, at, ${source},
      50 + cityHash64(number) % 100, 1
    from numbers(${HEART_RATES})`,
    { environmentId, userId },
  )
  await clickhouse.command(
    `insert into samples ${columns}
    select {environmentId:UUID}, {userId:UUID}, 'steps',
      toDateTime64('${ANCHOR} 23:59:00', 3, 'UTC') - toIntervalMinute(number) as at,
      at + toIntervalMinute(1), ${source}, cityHash64(number) % 120, 1
    from numbers(${STEP_DAYS * MINUTES_OF_A_DAY})`,
    { environmentId, userId },
  )
  await clickhouse.command(
    `insert into samples ${columns}
    select {environmentId:UUID},
      toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(intDiv(number, ${SAMPLES_OF_OTHERS})), 12, '0'))),
      'heartrate', toDateTime64('2025-06-01 00:00:00', 3, 'UTC')
        + toIntervalMinute(number % ${SAMPLES_OF_OTHERS}) as at, at, ${source},
      50 + cityHash64(number) % 100, 1
    from numbers(${OTHER_USERS * SAMPLES_OF_OTHERS})`,
    { environmentId },
  )
  // As after a night: the parts of one insert each are merged.
  await clickhouse.command('optimize table samples final')
}

/** The same rows in PostgreSQL, as a table of rows with its natural key. */
export async function fillPostgres(pool: pg.Pool, { userId }: Person): Promise<void> {
  await pool.query(`create table query_samples (
    user_id uuid, series text, started_at timestamptz, provider text, source_type text,
    timezone_offset integer, value float8)`)
  await pool.query(
    `insert into query_samples
    select $1, 'heartrate', timestamptz '2021-01-01 00:00:00+00' + n * interval '1 minute',
      'health_connect', 'watch', 3600, 50 + abs(hashint4(n)) % 100
    from generate_series(0, ${HEART_RATES - 1}) as n`,
    [userId],
  )
  await pool.query(
    `insert into query_samples
    select $1, 'steps', timestamptz '${ANCHOR} 23:59:00+00' - n * interval '1 minute',
      'health_connect', 'watch', 3600, abs(hashint4(n)) % 120
    from generate_series(0, ${STEP_DAYS * MINUTES_OF_A_DAY - 1}) as n`,
    [userId],
  )
  await pool.query(
    `insert into query_samples
    select lpad((n / ${SAMPLES_OF_OTHERS})::text, 32, '0')::uuid, 'heartrate',
      timestamptz '2025-06-01 00:00:00+00' + (n % ${SAMPLES_OF_OTHERS}) * interval '1 minute',
      'health_connect', 'watch', 3600, 50 + abs(hashint4(n)) % 100
    from generate_series(0, ${OTHER_USERS * SAMPLES_OF_OTHERS - 1}) as n`,
  )
  await pool.query(
    `alter table query_samples add primary key (user_id, series, started_at, provider, source_type)`,
  )
  await pool.query('vacuum analyze query_samples')
}
