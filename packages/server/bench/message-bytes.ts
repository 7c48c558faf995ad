import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { newTimedId } from '@salus/kernel/ids'
import { readMigrations } from '@salus/kernel/migrations'
import { openDatabase } from '@salus/kernel/postgres/database'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { moveContents } from '@salus/lab/inbox'
import type pg from 'pg'
import { MIGRATIONS_FOLDER } from '../src/stores.ts'
import { makeEnvironment } from './event-bytes.ts'
import type { Row } from './measure.ts'
import { thousands } from './measure.ts'

const HOUR_MS = 3_600_000
const FIXTURES = new URL('../../hl7v2/fixtures/', import.meta.url)

/**
 * Bytes of a received message of a laboratory, before and after its content moved, with the
 * processor time of a move. Both times PostgreSQL has no dead rows.
 */
export async function benchMessageBytes(
  clickhouse: ClickHouse,
  { databaseUrl, messages }: { databaseUrl: string; messages: number },
): Promise<Row[]> {
  const { db, pool, close } = openDatabase({ url: databaseUrl, poolSize: 4 })
  await migratePostgres(pool, readMigrations(`${MIGRATIONS_FOLDER}/postgres`))
  await pool.query("update lab_message_moves set created_at = now() - interval '2 hours'")
  const content = await storeMessages(pool, messages)
  await pool.query('vacuum full lab_messages')
  const before = await measure(pool)
  const stores = { db, clickhouse, clock: { now: () => new Date() } }
  const startedAt = process.cpuUsage()
  const moved = await moveContents(stores, new AbortController().signal)
  const spent = process.cpuUsage(startedAt)
  if (moved !== messages) throw new Error(`${moved} of ${messages} contents were moved.`)
  const { wal } = await measure(pool)
  await pool.query('vacuum full lab_messages')
  const after = await measure(pool)
  await clickhouse.command('optimize table lab_message_contents final')
  const [parts] = await clickhouse.queryRows<{ bytes: number }>(
    `select toFloat64(sum(bytes_on_disk)) as bytes from system.parts
    where active and database = currentDatabase() and table = 'lab_message_contents'`,
  )
  await close()
  const each = (bytes: number): string => `${Math.round(bytes / messages)} B`
  const line = (job: string, salus: string): Row => ({
    ...{ job, salus, comparedWith: '', other: '', ratio: '', goal: '', isMet: null },
  })
  return [
    line('messages of the run', `${thousands(messages)} of ${each(content)}`),
    line('a message in PostgreSQL', `${each(before.bytes)}, of it indexes ${each(before.indexes)}`),
    line(
      'after the move',
      `PostgreSQL ${each(after.bytes)}, ClickHouse ${each(parts?.bytes ?? 0)}`,
    ),
    line('WAL of moving it', each(wal - before.wal)),
    line(
      'processor time of moving it',
      `${((spent.user + spent.system) / messages).toFixed(0)} µs`,
    ),
  ]
}

/** Stores messages of three hours ago, as the inbox does; returns the bytes of all contents. */
async function storeMessages(pool: pg.Pool, messages: number): Promise<number> {
  const environmentId = await makeEnvironment(pool)
  const samples = readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.hl7'))
    .map((name) => readFileSync(new URL(name, FIXTURES)))
  // A fixture is a short message; five of them are one of usual length.
  const sampleOf = (index: number): Buffer => samples[index % samples.length] as Buffer
  const at = new Date(Date.now() - 3 * HOUR_MS)
  let bytes = 0
  for (let first = 0; first < messages; first += 500) {
    const contents = Array.from({ length: Math.min(500, messages - first) }, (_, index) =>
      varied(
        Buffer.concat(samples.map((_, more) => sampleOf(first + index * 3 + more)).slice(0, 5)),
      ),
    )
    bytes += contents.reduce((sum, { length }) => sum + length, 0)
    await pool.query(
      `insert into lab_messages (id, gateway, environment_id, control_id, content_hash, content_type,
        content, state, received_at, processed_at)
      select id, 'hl7:north', $2, id::text, encode(sha256(content), 'hex'),
        'x-application/hl7-v2+er7', content, 'processed', $4, $4
      from unnest($1::uuid[], $3::bytea[]) as message (id, content)`,
      [contents.map(() => newTimedId()), environmentId, contents, at],
    )
  }
  return bytes
}

/** Every third digit or letter is another one, as names, dates and values differ. */
function varied(sample: Buffer): Buffer {
  const random = randomBytes(sample.length)
  return sample.map((byte, index) => {
    const other = random[index] ?? 0
    if (other % 3 !== 0) return byte
    if (byte >= 48 && byte <= 57) return 48 + (other % 10)
    return byte >= 97 && byte <= 122 ? 97 + (other % 26) : byte
  }) as Buffer
}

async function measure(pool: pg.Pool): Promise<{ bytes: number; indexes: number; wal: number }> {
  const { rows } = await pool.query<{ bytes: number; indexes: number; wal: number }>(
    `select pg_total_relation_size('lab_messages')::float8 as bytes,
      pg_indexes_size('lab_messages')::float8 as indexes,
      (pg_current_wal_lsn() - '0/0')::float8 as wal`,
  )
  return rows[0] ?? { bytes: 0, indexes: 0, wal: 0 }
}
