import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import pg from 'pg'
import { FIRST_MINUTE } from '../heart-rate.ts'
import { withDescendants } from '../server-process.ts'
import { insertRows, makeRowTable } from '../upload.ts'
import { bytesOnDisk, type DailyValues, type Peer, type PeerOptions, stopOnce } from './peer.ts'

const CONNECTIONS = 16

const OF_PERSON = `from bench_samples
  where environment_id = $1 and user_id = $2 and series = 'heartrate'
    and started_at >= to_timestamp($3 / 1000.0) and started_at < to_timestamp($4 / 1000.0)`

const DAY = `select provider, source_type, app_id, timezone_offset, started_at::text, ended_at::text,
  value ${OF_PERSON} order by started_at`

const DAILY = `select date_trunc('day', started_at)::text as day, min(value), max(value), avg(value)
  ${OF_PERSON} group by day order by day`

/** PostgreSQL with a row for each sample and its natural key, by the driver of Node.js. */
export async function startPostgresRows(options: PeerOptions): Promise<Peer> {
  const { directory, people, days } = options
  const server = await startEmbeddedPostgres({ directory, log: () => {} })
  const pool = new pg.Pool({ connectionString: server.url, max: CONNECTIONS })
  await makeRowTable(pool)
  const environmentId = randomUUID()
  const users = Array.from({ length: people }, () => randomUUID())
  const read = async (name: string, text: string, person: number, from: number, until: number) => {
    const values = [environmentId, users[person], from, until]
    return (await pool.query({ name, text, values, rowMode: 'array' })).rows
  }
  return {
    name: 'PostgreSQL rows',
    processIds: () => withDescendants(server.pid),
    prepareUpload: (person, samples) => () =>
      insertRows(pool, environmentId, users[person] ?? '', samples),
    async readDay(person, from) {
      const rows = await read('day', DAY, person, from, from + DAY_MS)
      return () => rows.map((row) => row[6] as number)
    },
    async readDaily(person) {
      const until = FIRST_MINUTE + days * DAY_MS
      const rows = await read('daily', DAILY, person, FIRST_MINUTE, until)
      return () => rows.map((row) => row.slice(1) as unknown as DailyValues)
    },
    async tidy() {
      await pool.query('vacuum analyze bench_samples')
    },
    folderBytes: () => bytesOnDisk(directory),
    async mergedBytes() {
      await pool.query('vacuum full bench_samples')
      const { rows } = await pool.query<{ bytes: number }>(
        `select pg_total_relation_size('bench_samples')::float8 as bytes`,
      )
      return rows[0]?.bytes ?? Number.NaN
    },
    stop: stopOnce({ close: () => pool.end() }, server),
  }
}
