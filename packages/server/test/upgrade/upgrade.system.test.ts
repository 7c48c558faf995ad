import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { migrateClickHouse } from '@salus/kernel/clickhouse/migrate-clickhouse'
import { openRemoteClickHouse } from '@salus/kernel/clickhouse/remote-clickhouse'
import { readMigrations } from '@salus/kernel/migrations'
import { migratePostgres } from '@salus/kernel/postgres/migrate-postgres'
import { startSalus } from '../../../cli/src/testing/salus-command.ts'
import { MIGRATIONS_FOLDER } from '../../src/stores.ts'
import { type ClickHouseServer, startClickHouseServer } from '../clickhouse-server.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { readRefusal } from '../refused-stores.ts'
import { request, type ServerProcess, startServer } from '../server-process.ts'

/**
 * Stores of the first schema, with rows that were written when each of its tables was made, go
 * through all migrations. A release adds what its own tables held: rows/<store>/<number of the
 * migration>.sql.
 */
const ROWS = join(import.meta.dirname, 'rows')
const USER = '00000000-0000-4000-8000-000000000007'
const ORDER = '00000000-0000-4000-8000-000000000013'

const directory = mkdtempSync(join(tmpdir(), 'salus-upgrade-'))
let database: TestDatabase
let engine: ClickHouseServer
let clickhouse: ClickHouse
let server: ServerProcess | undefined

before(async () => {
  ;[database, engine] = await Promise.all([createTestDatabase(), startClickHouseServer()])
  await database.pool.query(
    'drop schema public cascade; drop schema graphile_worker cascade; create schema public',
  )
  clickhouse = await openRemoteClickHouse({ url: `${engine.url}/salus` })
})
after(async () => {
  await server?.end('SIGTERM')
  await clickhouse?.close()
  await engine?.stop()
  await database?.close()
  rmSync(directory, { recursive: true, force: true })
})

const settings = (): Record<string, string> => ({
  DATABASE_URL: database.url,
  CLICKHOUSE_URL: `${engine.url}/salus`,
})

const rowsOf = (store: string, number: number): string | undefined => {
  const path = join(ROWS, store, `${String(number).padStart(4, '0')}.sql`)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Applies the migrations one by one, and after each what was written at its time. */
async function fillThroughHistory(): Promise<void> {
  const postgres = readMigrations(join(MIGRATIONS_FOLDER, 'postgres'))
  const last = { postgres: 4, clickhouse: 2 }
  for (let number = 1; number <= last.postgres; number += 1) {
    await migratePostgres(database.pool, postgres.slice(0, number))
    const rows = rowsOf('postgres', number)
    if (rows !== undefined) await database.pool.query(rows)
  }
  const columns = readMigrations(join(MIGRATIONS_FOLDER, 'clickhouse'))
  for (let number = 1; number <= last.clickhouse; number += 1) {
    await migrateClickHouse(clickhouse, columns.slice(0, number))
    const statements = (rowsOf('clickhouse', number) ?? '')
      .split(/;\n/)
      .filter((text) => text.trim())
    for (const statement of statements) await clickhouse.command(statement)
  }
}

test('the check before an upgrade names the migrations of a start, and the settings that it refuses', async () => {
  await fillThroughHistory()
  const check = (more: Record<string, string> = {}) =>
    startSalus(['--data-dir', directory, 'doctor', '--before-upgrade'], { ...settings(), ...more })
      .result
  const fine = await check()
  assert.equal(fine.code, 0, fine.stdout)
  assert.match(
    fine.stdout,
    /^ok +A start applies \d\d migrations to PostgreSQL: 0005 \w+ to 00\d\d/m,
  )
  assert.match(fine.stdout, /^ok +PostgreSQL has \d+ of \d+ connections; .+ up to 6 /m)
  const { rows } = await database.pool.query('select max(number) as number from salus_migrations')
  assert.deepEqual(rows, [{ number: 4 }], 'it applies none')

  const refused = await check({ SALUS_DATABASE_CONNECTIONS: '5', SALUS_ROLES: 'boss' })
  assert.equal(refused.code, 1)
  assert.match(refused.stdout, /^PROBLEM +SALUS_DATABASE_CONNECTIONS must be .+ from 6 to 1000/m)
  assert.match(refused.stdout, /^PROBLEM +SALUS_ROLES must be /m)
  const many = await check({ SALUS_DATABASE_CONNECTIONS: '1000' })
  assert.equal(many.code, 1)
  assert.match(many.stdout, /^PROBLEM +PostgreSQL has \d+ of \d+ connections; .+ up to 1000 /m)
})

test('a start upgrades stores of the first schema, and everything in them is answered as before', async () => {
  server = await startServer(directory, settings())
  const { baseUrl } = server
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into bodies of every shape
  const get = async (path: string): Promise<any> => {
    const { status, body } = await request(baseUrl, 'GET', path)
    assert.equal(status, 200, path)
    return body
  }
  const { users } = await get('/v2/user')
  assert.deepEqual(
    users.map((user: Record<string, string>) => user.client_user_id),
    ['first-user'],
  )
  const steps = await get(
    `/v2/timeseries/${USER}/steps/grouped?start_date=2026-01-01&end_date=2026-01-03`,
  )
  const { data } = steps.groups.manual[0]
  assert.deepEqual(
    data.map(({ value }: { value: number }) => value),
    [10, 11, 12],
  )
  const { sleep } = await get(`/v2/summary/sleep/${USER}?start_date=2026-01-01&end_date=2026-01-03`)
  assert.equal(sleep[0].duration, 28_800)
  const order = await get(`/v3/order/${ORDER}`)
  assert.deepEqual(
    order.events.map(({ status }: { status: string }) => status),
    ['received.walk_in_test.ordered', 'received.walk_in_test.requisition_created'],
  )
  assert.equal((await get('/v3/orders?search_input=sample')).orders[0].id, ORDER)
  const demographics = await get(`/v2/user/${USER}/info/latest`)
  assert.equal(demographics.email, 'sample@example.com')
  const { rows: answers } = await database.pool.query('select key, user_id from idempotent_answers')
  assert.deepEqual(answers, [{ key: 'placed', user_id: USER }], 'of those whom an erasure finds')
})

test('what the first schema had not published yet becomes an event, and items keep their reasons', async () => {
  const deadline = Date.now() + 60_000
  let sent: { rowCount: number | null }
  do {
    sent = await database.pool.query(
      "select from events where event_type like 'daily.data.steps.%'",
    )
  } while (sent.rowCount === 0 && Date.now() < deadline)
  assert.ok((sent.rowCount ?? 0) > 0)
  const items = await clickhouse.queryRows('select reason, item from quarantined_items')
  assert.deepEqual(items, [{ reason: 'value_out_of_range', item: '{"value": -1}' }])
})

test('an older version refuses either store when it is newer, and changes nothing', async () => {
  assert.equal(await server?.end('SIGTERM'), 0)
  server = undefined
  const newest = 9_999
  await database.pool.query("insert into salus_migrations values ($1, 'later', 'x')", [newest])
  const ofPostgres = await readRefusal(directory, settings())
  assert.match(ofPostgres, /^The database schema is at 9999.* Start a newer Salus\.$/)
  await database.pool.query('delete from salus_migrations where number = $1', [newest])
  await clickhouse.command(
    "insert into salus_migrations (number, name, checksum) values (9999, 'later', 'x')",
  )
  const ofClickHouse = await readRefusal(directory, settings())
  assert.match(ofClickHouse, /^The ClickHouse schema is at 9999.* Start a newer Salus\.$/)
})
