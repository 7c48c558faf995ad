import type { Harness } from '../harness.ts'
import { type Row, writeParquet } from './write-parquet.ts'

export const NDJSON = 'application/x-ndjson'
export const PARQUET = 'application/vnd.apache.parquet'

export const toLines = (rows: readonly unknown[]): string =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')

/** Sends rows as newline-delimited JSON; a text is a line as it is. */
export function sendLines(
  salus: Harness,
  rows: readonly unknown[],
  { query = '', headers = {} }: { query?: string; headers?: object } = {},
) {
  return sendBody(salus, Buffer.from(toLines(rows)), { query, headers })
}

/** Sends rows as a Parquet file. */
export function sendParquet(salus: Harness, rows: readonly Row[], query = '') {
  const headers = { 'content-type': PARQUET }
  return sendBody(salus, writeParquet(rows), { query, headers })
}

export function sendBody(
  salus: Harness,
  body: Buffer,
  { query = '', headers = {} }: { query?: string; headers?: object } = {},
) {
  return salus.call('POST', `/v2/timeseries/bulk${query}`, body, {
    'content-type': NDJSON,
    ...headers,
  })
}

const START = Date.UTC(2024, 2, 1)

/** A count of steps; the minute makes it another sample. */
export const steps = (user: object, minute: number, change: object = {}): Row => ({
  ...user,
  resource: 'steps',
  value: 10 + (minute % 50),
  unit: 'count',
  start_date: new Date(START + minute * 60_000).toISOString(),
  end_date: new Date(START + (minute + 1) * 60_000).toISOString(),
  source_bundle: 'com.example.steps',
  ...change,
})

/** All stored columns of the samples of a user, but for the version. */
export function storedRows({ clickhouse }: Harness, userId: string): Promise<Row[]> {
  return clickhouse.queryRows<Row>(
    `select series, toUnixTimestamp64Milli(started_at) as startedAt,
      toUnixTimestamp64Milli(ended_at) as endedAt, provider, source_type, app_id, sample_type,
      workout_id, sport, timezone_offset, time_zone, diastolic, text_value, extra, value
    from samples final where user_id = {userId:UUID}
    order by series, started_at, source_type, app_id, sample_type, value`,
    { userId },
  )
}

/** Reasons of the quarantined items of a user, with their series. */
export async function quarantined(salus: Harness, userId: string): Promise<string[]> {
  const { body } = await salus.call('GET', `/v2/user/${userId}/put_aside?limit=1000`)
  const items: { resource: string; reason: string }[] = body.items
  return items.map(({ resource, reason }) => `${resource} ${reason}`).sort()
}
