import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { readMigrations } from '@salus/kernel/migrations'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import pg from 'pg'
import { MIGRATIONS_FOLDER } from '../../../../server/src/stores.ts'
import { createTestDatabase, type TestDatabase } from '../../../../server/test/database.ts'

let database: TestDatabase
let pool: pg.Pool
before(async () => {
  database = await createTestDatabase()
  await database.pool.query('create schema earlier')
  await database.pool.query('drop schema salus_audit cascade')
  const options = '-c search_path=earlier,public -c session_replication_role=replica'
  pool = new pg.Pool({ connectionString: database.url, max: 1, options })
  // The database is stopped right after the pool.
  pool.on('error', () => {})
})
after(async () => {
  await pool.end()
  await database.close()
})

const isOfPending = ({ name }: { name: string }): boolean => name.includes('pending_publications')

test('what earlier versions left between the stores is pending after the migration', async () => {
  const migrations = readMigrations(`${MIGRATIONS_FOLDER}/postgres`)
  const index = migrations.findIndex(isOfPending)
  assert.ok(index > 0)
  await migratePostgres(pool, migrations.slice(0, index))
  const [environmentId, userId, summaryId] = [randomUUID(), randomUUID(), randomUUID()]
  const at = new Date('2026-02-10T08:00:00Z')
  const end = new Date('2026-02-10T09:00:00Z')
  await pool.query(
    `insert into unannounced_samples values ($1, $2, 'steps', gen_random_uuid(), 'manual', $3, $4, 7,
      'https://salus.test', $3)`,
    [environmentId, userId, at, end],
  )
  await pool.query(
    `insert into unannounced_summaries values ($1, $2, 'sleep', 'manual', gen_random_uuid(), $3,
      'https://salus.test', $4, $4, 3, 'P0001')`,
    [environmentId, userId, [summaryId], at],
  )
  await migratePostgres(pool, migrations)
  const { rows } = await pool.query(
    `select resource, range_start, range_end, least_version::int, summary_ids, quarantined_at, failures, failure
    from pending_publications order by resource`,
  )
  const samples = { range_start: at, range_end: end, least_version: 7, summary_ids: null }
  const summaries = { range_start: null, range_end: null, least_version: null }
  assert.deepEqual(rows, [
    {
      ...{ resource: 'sleep', ...summaries, summary_ids: [summaryId] },
      ...{ quarantined_at: at, failures: 3, failure: 'P0001' },
    },
    { resource: 'steps', ...samples, quarantined_at: null, failures: 0, failure: null },
  ])
})
