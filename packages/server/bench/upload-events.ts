import { randomUUID } from 'node:crypto'
import { bootstrap, findEnvironment } from '@salus/accounts/teams'
import type { Sample } from '@salus/health/ingest'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { createLogger } from '@salus/kernel/log'
import { readMigrations } from '@salus/kernel/migrations'
import { openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import type { Environment } from '@salus/kernel/scope'
import { systemClock } from '@salus/kernel/time/clock'
import { readConfig } from '../src/config.ts'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { createSampleFixture, createTestIngest } from '../test/ingest-fixture.ts'
import { plainSample } from '../test/timeseries/plain-sample.ts'
import { makeHeartRate } from './heart-rate.ts'
import { median, secondsOf } from './measure.ts'
import { CLIENTS, SAMPLES_OF_A_REQUEST } from './upload.ts'

const UPLOADS_OF_A_CLIENT = 15
const ROUNDS = 7

/**
 * What events add to storing an upload of 1,000 samples, in milliseconds: the look-up of the
 * device, what is pending, the message and its row. Storing alone and storing with events take
 * turns.
 */
export async function benchUploadEvents(
  clickhouse: ClickHouse,
  databaseUrl: string,
): Promise<{ plainMs: number; addedMs: number }> {
  const { db, pool, close } = openDatabase({ url: databaseUrl, poolSize: 20 })
  await migratePostgres(pool, readMigrations(`${MIGRATIONS_FOLDER}/postgres`))
  const clock = systemClock
  await bootstrap({ db, clock, config: readConfig({}) })
  const { rows } = await pool.query<{ id: string }>(
    "select id from team_environments where environment = 'sandbox'",
  )
  const environment = (await findEnvironment(db, rows[0]?.id ?? '')) as Environment
  const { id: environmentId } = environment
  const users = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const user = { id: randomUUID(), client_user_id: randomUUID() }
      await pool.query('insert into users values ($1, $2, $3, now())', [
        environmentId,
        user.id,
        user.client_user_id,
      ])
      return user
    }),
  )
  const stores = { db, clickhouse, clock, log: createLogger('silent') }
  const ingest = createTestIngest({ ...stores, isAlone: true, batchWaitMs: 10 })
  const writer = createSampleFixture(ingest, stores)
  let nextRound = 0

  const store = (withEvents: boolean): Promise<number> => {
    const lots = samplesOfRound(nextRound++)
    return secondsOf(() =>
      Promise.all(
        users.map(async (user, client) => {
          const owner = { environmentId, userId: user.id, provider: 'health_connect' }
          for (const samples of lots[client] ?? []) {
            if (!withEvents) {
              await writer.write(owner, samples)
              continue
            }
            const baseUrl = 'https://salus.example.com'
            const publication = { environment, user, deviceId: undefined, baseUrl }
            await writer.write(owner, samples, publication)
          }
        }),
      ),
    )
  }

  const uploads = CLIENTS * UPLOADS_OF_A_CLIENT
  const plain: number[] = []
  const published: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const times = { plain: await store(false), published: await store(true) }
    // The first round warms both up.
    if (round === 0) continue
    plain.push((times.plain * 1000) / uploads)
    published.push((times.published * 1000) / uploads)
  }
  await close()
  const plainMs = median(plain)
  return { plainMs, addedMs: median(published) - plainMs }
}

/** Each client's uploads of one round; minutes go on from round to round, so all rows are new. */
function samplesOfRound(round: number): Sample[][][] {
  return Array.from({ length: CLIENTS }, (_, client) =>
    Array.from({ length: UPLOADS_OF_A_CLIENT }, (_, upload) => {
      const first = (round * UPLOADS_OF_A_CLIENT + upload) * SAMPLES_OF_A_REQUEST
      return makeHeartRate(client * 1000 + upload, first, SAMPLES_OF_A_REQUEST).map(
        ({ startedAt, value }) =>
          plainSample({ series: 'heartrate', startedAt, value, appId: 'com.example.watch' }),
      )
    }),
  )
}
