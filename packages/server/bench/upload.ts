import { randomUUID } from 'node:crypto'
import type { Sample, SampleOwner } from '@salus/health/ingest'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type pg from 'pg'
import {
  contentText,
  keyAfterTime,
  keyBeforeTime,
  SAMPLE_COLUMNS,
  timestampText,
} from '../../health/src/ingest/sample-rows.ts'
import { plainSample } from '../test/timeseries/plain-sample.ts'
import { createClient } from './client.ts'
import { type HeartRateSample, makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, secondsOf } from './measure.ts'
import type { ServerProcess } from './server-process.ts'

export const CLIENTS = 16
export const SAMPLES_OF_A_REQUEST = 1000
const REQUESTS_OF_A_CLIENT = 15
const ROUNDS = 5

const SAMPLES_OF_A_ROUND = CLIENTS * REQUESTS_OF_A_CLIENT * SAMPLES_OF_A_REQUEST

export interface UploadResult {
  http: number
  clickhouse: number
  postgres: number
  /** Rounds of each side, samples a second. */
  rounds: { http: number[]; clickhouse: number[]; postgres: number[] }
}

/** Every client's requests of one round; minutes go on from round to round, so all rows are new. */
function samplesOfRound(round: number): HeartRateSample[][][] {
  return Array.from({ length: CLIENTS }, (_, client) =>
    Array.from({ length: REQUESTS_OF_A_CLIENT }, (_, request) => {
      const first = (round * REQUESTS_OF_A_CLIENT + request) * SAMPLES_OF_A_REQUEST
      return makeHeartRate(client * 1000 + request, first, SAMPLES_OF_A_REQUEST)
    }),
  )
}

/**
 * Samples a second, each acknowledged durable: through HTTP by 16 clients, straight into an engine
 * of the same kind in inserts of 16,000 rows, and by INSERT … ON CONFLICT into PostgreSQL. The
 * three take turns, so that a change of the machine's speed meets all.
 */
export async function benchUpload(
  server: ServerProcess,
  clickhouse: ClickHouse,
  pool: pg.Pool,
): Promise<UploadResult> {
  const client = createClient(server, CLIENTS)
  const users = await Promise.all(Array.from({ length: CLIENTS }, () => client.makeUser()))
  const environmentId = randomUUID()
  await makeRowTable(pool)
  const rounds = { http: [] as number[], clickhouse: [] as number[], postgres: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const samples = samplesOfRound(round)
    const bodies = samples.map((requests) => requests.map(uploadBody))
    const http = await secondsOf(() =>
      eachClient(bodies, (body, index) =>
        client.call('POST', `/v2/timeseries/${users[index]}/heartrate`, body),
      ),
    )
    const payloads = clickHousePayloads(environmentId, users, samples)
    const bare = await secondsOf(async () => {
      for (const payload of payloads) await clickhouse.insert('samples', SAMPLE_COLUMNS, payload)
    })
    const rows = await secondsOf(() =>
      eachClient(samples, (request, index) =>
        insertRows(pool, environmentId, users[index] ?? '', request),
      ),
    )
    // The first round warms all three up.
    if (round === 0) continue
    rounds.http.push(SAMPLES_OF_A_ROUND / http)
    rounds.clickhouse.push(SAMPLES_OF_A_ROUND / bare)
    rounds.postgres.push(SAMPLES_OF_A_ROUND / rows)
  }
  await client.close()
  return {
    http: median(rounds.http),
    clickhouse: median(rounds.clickhouse),
    postgres: median(rounds.postgres),
    rounds,
  }
}

async function eachClient<T>(
  work: readonly (readonly T[])[],
  send: (item: T, client: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    work.map(async (items, client) => {
      for (const item of items) await send(item, client)
    }),
  )
}

const toSample = ({ startedAt, value }: HeartRateSample): Sample =>
  plainSample({ series: 'heartrate', startedAt, value, appId: 'com.example.watch' })

/** The same rows as the uploads make, 16,000 in an insert, made before the clock runs. */
function clickHousePayloads(
  environmentId: string,
  users: readonly string[],
  samples: HeartRateSample[][][],
): Buffer[] {
  let version = 1
  return Array.from({ length: REQUESTS_OF_A_CLIENT }, (_, request) => {
    const rows = samples.flatMap((requests, client) => {
      const userId = users[client] ?? ''
      const owner: SampleOwner = { environmentId, userId, provider: 'health_connect' }
      return (requests[request] ?? []).map(toSample).map((sample) => {
        const time = timestampText(sample.startedAt)
        const key = `${keyBeforeTime(owner, sample)}\t${time}\t${keyAfterTime(owner, sample)}`
        return `${key}\t${contentText(sample)}\t${sample.value}\t${version++}\n`
      })
    })
    return Buffer.from(rows.join(''))
  })
}

/** A table of rows with the natural key of samples. */
export async function makeRowTable(pool: pg.Pool): Promise<void> {
  await pool.query(`create table bench_samples (
    environment_id uuid not null, user_id uuid not null, series text not null,
    started_at timestamptz not null, provider text not null, source_type text not null,
    app_id text not null, sample_type text not null, ended_at timestamptz not null,
    timezone_offset integer, value double precision not null, version bigint not null,
    primary key (environment_id, user_id, series, started_at, provider, source_type, app_id,
      sample_type))`)
}

/** Stores samples of a person in one statement; the last one of a key replaces the others. */
export async function insertRows(
  pool: pg.Pool,
  environmentId: string,
  userId: string,
  samples: readonly HeartRateSample[],
): Promise<void> {
  await pool.query(
    `insert into bench_samples
    select $1::uuid, $2::uuid, 'heartrate', to_timestamp(at / 1000.0), 'health_connect', 'unknown',
      'com.example.watch', '', to_timestamp(at / 1000.0), null, value, 1
    from unnest($3::bigint[], $4::double precision[]) as rows (at, value)
    on conflict (environment_id, user_id, series, started_at, provider, source_type, app_id,
      sample_type)
    do update set value = excluded.value, ended_at = excluded.ended_at, version = excluded.version`,
    [environmentId, userId, samples.map((s) => s.startedAt), samples.map((s) => s.value)],
  )
}
