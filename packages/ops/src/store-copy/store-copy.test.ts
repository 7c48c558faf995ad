import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { createTestClickHouse } from '../../../server/test/test-clickhouse.ts'
import {
  checksumClickHouseTable,
  dumpClickHouseTable,
  listClickHouseTables,
  loadClickHouseTable,
} from './clickhouse-copy.ts'
import {
  advanceSequences,
  checksumPostgresTable,
  dumpPostgresTable,
  emptyPostgresTables,
  listPostgresTables,
  loadPostgresTable,
  nameOf,
  type PostgresTable,
} from './postgres-copy.ts'

let source: TestDatabase
let target: TestDatabase
before(async () => {
  ;[source, target] = await Promise.all([createTestDatabase(), createTestDatabase()])
})
after(() => Promise.all([source.close(), target.close()]))

/** Text with everything that a text form of rows has to escape. */
const AWKWARD = 'a\tb\\N\n\\.\nc"\'{}, ä 🩺 \u001f\r'

async function inTransaction(
  database: TestDatabase,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

async function checksums(database: TestDatabase, tables: readonly PostgresTable[]) {
  const found: Record<string, object> = {}
  await inTransaction(database, async (client) => {
    for (const table of tables) found[nameOf(table)] = await checksumPostgresTable(client, table)
  })
  return found
}

/** A team with a person, and a job. */
async function fillPostgres({ pool }: TestDatabase): Promise<void> {
  const [org, team, environment, user] = Array.from({ length: 4 }, () => randomUUID())
  await pool.query(`insert into organizations (id, name, created_at) values ($1, $2, now())`, [
    org,
    AWKWARD,
  ])
  await pool.query(
    `insert into teams (id, organization_id, name, region, created_at) values ($1, $2, 'team', 'eu', now())`,
    [team, org],
  )
  await pool.query(
    `insert into team_environments (id, team_id, environment, settings) values ($1, $2, 'sandbox', '{}')`,
    [environment, team],
  )
  await pool.query(
    `insert into users (id, environment_id, client_user_id, created_at) values ($1, $2, $3, now())`,
    [user, environment, AWKWARD],
  )
  await pool.query(`select graphile_worker.add_job('some_job', '{"a": "\\\\n"}')`)
}

test('a copy of all tables of PostgreSQL is equal in every column, and numbers go on after it', async () => {
  await fillPostgres(source)
  const client = await source.pool.connect()
  await client.query('begin isolation level repeatable read read only')
  const tables = await listPostgresTables(client)
  const names = tables.map(nameOf)
  assert.ok(names.indexOf('public.users') > names.indexOf('public.team_environments'))
  assert.ok(names.includes('graphile_worker._private_jobs'))
  await inTransaction(target, async (into) => {
    await emptyPostgresTables(into, tables)
    for (const table of tables) {
      await loadPostgresTable(into, table, dumpPostgresTable(client, table))
    }
    await advanceSequences(into, tables)
  })
  await client.query('commit')
  client.release()
  const expected = await checksums(source, tables)
  assert.deepEqual(expected['public.users'], { ...expected['public.users'], rows: 1 })
  assert.deepEqual(await checksums(target, tables), expected)
  const { rows } = await target.pool.query(
    `select nextval('labs_id_seq')::int > (select max(id) from labs) as is_later,
      (select client_user_id from users) as text`,
  )
  assert.deepEqual(rows, [{ is_later: true, text: AWKWARD }])
  const triggers = await target.pool.query(`select from pg_trigger where tgenabled = 'D'`)
  assert.equal(triggers.rowCount, 0, 'no trigger stays off')
})

test('of a table with another row the checksum differs', async () => {
  const table = { schema: 'public', name: 'users', columns: ['id', 'client_user_id'] }
  const before = await checksums(target, [table])
  await target.pool.query(`update users set client_user_id = client_user_id || '.'`)
  assert.notDeepEqual(await checksums(target, [table]), before)
})

test('a copy of all tables of ClickHouse is equal in every column, removed rows and streams among them', async () => {
  const clickhouse = createTestClickHouse()
  const ids = { user: randomUUID(), text: AWKWARD }
  await clickhouse.command(
    `insert into samples (environment_id, user_id, series, started_at, value, provider, text_value, timezone_offset, version)
    select {user:UUID}, {user:UUID}, 'steps', fromUnixTimestamp64Milli(number * 60000), number / 7,
      'oura', {text:String}, if(number % 2 = 0, null, 3600), number from numbers(300000)`,
    ids,
  )
  await clickhouse.command(
    `insert into sleep_summaries (environment_id, user_id, id, provider, raw, stage_type, version, is_removed)
    select {user:UUID}, {user:UUID}, generateUUIDv4(number), 'oura', {text:String}, [1, 2, 3], 1, number % 2
    from numbers(10)`,
    ids,
  )
  await clickhouse.command(
    `insert into workout_streams (environment_id, user_id, workout_id, time, cadence, version)
    values ({user:UUID}, {user:UUID}, {user:UUID}, [1, 2], [1.5, null], 1)`,
    { user: ids.user },
  )
  const tables = await listClickHouseTables(clickhouse)
  assert.ok(tables.every(({ name }) => name !== 'salus_migrations'))
  for (const table of tables) {
    const before = await checksumClickHouseTable(clickhouse, table)
    if (['samples', 'workout_streams'].includes(table.name)) assert.ok(before.rows > 0)
    const chunks: Uint8Array[] = []
    for await (const chunk of dumpClickHouseTable(clickhouse, table)) chunks.push(chunk)
    await clickhouse.command(`truncate table ${table.name}`)
    await loadClickHouseTable(clickhouse, table, pieces(chunks))
    assert.deepEqual(await checksumClickHouseTable(clickhouse, table), before, table.name)
  }
  const [removed] = await clickhouse.queryRows(
    'select countIf(is_removed = 1) as removed, countIf(is_removed = 0) as kept from (select distinct id, is_removed from sleep_summaries)',
  )
  assert.deepEqual(removed, { removed: 5, kept: 5 })
  await clickhouse.close()
})

async function* pieces(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
