import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { createClient } from './client.ts'
import { FIRST_MINUTE, makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, percentile } from './measure.ts'
import type { ServerProcess } from './server-process.ts'

const DAYS = 60
const MINUTES_OF_A_DAY = 1440
const READS = 300

export interface ReadResult {
  http: { p50: number; p95: number }
  bare: { p50: number; p95: number }
}

/**
 * Milliseconds to read one day of 1-minute samples: through HTTP, and by the bare query on the same
 * rows in an engine of the same kind, called in this process. The two take turns.
 */
export async function benchReadDay(
  server: ServerProcess,
  clickhouse: ClickHouse,
): Promise<ReadResult> {
  const client = createClient(server, 1)
  const userId = await client.makeUser()
  for (let day = 0; day < DAYS; day++) {
    const samples = makeHeartRate(day, day * MINUTES_OF_A_DAY, MINUTES_OF_A_DAY)
    await client.call('POST', `/v2/timeseries/${userId}/heartrate`, uploadBody(samples))
  }
  const environmentId = randomUUID()
  await copyRows(clickhouse, environmentId, userId)
  const http: number[] = []
  const bare: number[] = []
  for (let read = 0; read < READS + 20; read++) {
    const day = FIRST_MINUTE + (read % DAYS) * DAY_MS
    const date = new Date(day).toISOString().slice(0, 10)
    const path = `/v2/timeseries/${userId}/heartrate/grouped?start_date=${date}&end_date=${date}`
    const httpStart = performance.now()
    const text = await client.call('GET', path)
    const httpEnd = performance.now()
    const bytes = await bareQuery(clickhouse, environmentId, userId, day)
    const bareEnd = performance.now()
    if (read === 0) checkSame(text, bytes)
    if (read < 20) continue
    http.push(httpEnd - httpStart)
    bare.push(bareEnd - httpEnd)
  }
  await client.close()
  const summary = (values: number[]) => ({ p50: median(values), p95: percentile(values, 0.95) })
  return { http: summary(http), bare: summary(bare) }
}

/** The question itself: a person's samples of one day, newest version each, in order. */
function bareQuery(clickhouse: ClickHouse, environmentId: string, userId: string, day: number) {
  return clickhouse.queryBytes(
    `select provider, source_type, app_id, timezone_offset, started_at, ended_at, value
    from samples final
    where environment_id = {environmentId:UUID} and user_id = {userId:UUID}
      and series = 'heartrate'
      and started_at between fromUnixTimestamp64Milli({from:Int64}, 'UTC')
        and fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    order by started_at`,
    { environmentId, userId, from: day, to: day + DAY_MS - 1 },
    'JSONEachRow',
  )
}

async function copyRows(clickhouse: ClickHouse, environmentId: string, userId: string) {
  const columns = ['environment_id', 'user_id', 'series', 'started_at', 'provider', 'source_type']
  for (let day = 0; day < DAYS; day++) {
    const rows = makeHeartRate(day, day * MINUTES_OF_A_DAY, MINUTES_OF_A_DAY).map(
      ({ startedAt, value }) => {
        const at = (startedAt / 1000).toFixed(3)
        const key = `${environmentId}\t${userId}\theartrate\t${at}\thealth_connect\tunknown`
        return `${key}\tcom.example.watch\t${at}\t${value}\t1\n`
      },
    )
    const all = [...columns, 'app_id', 'ended_at', 'value', 'version']
    await clickhouse.insert('samples', all, Buffer.from(rows.join('')))
  }
}

function checkSame(text: string, bytes: Uint8Array): void {
  const lines = Buffer.from(bytes).toString('utf8').trim().split('\n')
  const expected = lines.map((line) => JSON.parse(line).value)
  const got = JSON.parse(text).groups.health_connect[0].data.map(
    (sample: { value: number }) => sample.value,
  )
  if (JSON.stringify(expected) !== JSON.stringify(got)) throw new Error('the two reads differ')
}
