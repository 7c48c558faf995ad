import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StartupError } from '../errors.ts'
import { type Migration, readMigrations } from '../migrations.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { migratePostgres } from './migrate-postgres.ts'

const SHIPPED = fileURLToPath(new URL('../../../server/migrations/postgres', import.meta.url))

let folder: string
let postgres: EmbeddedPostgres
let admin: OpenDatabase
let database: OpenDatabase
let count = 0

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'salus-migrate-'))
  postgres = await startEmbeddedPostgres({ directory: join(folder, 'postgres'), log: () => {} })
  admin = openDatabase({ url: postgres.url, poolSize: 1 })
})

after(async () => {
  await admin?.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  count += 1
  await admin.pool.query(`create database fresh_${count}`)
  const url = new URL(postgres.url)
  url.pathname = `/fresh_${count}`
  database = openDatabase({ url: url.href, poolSize: 4 })
})

afterEach(() => database.close())

function migration(number: number, sql: string): Migration {
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { number, name: `step_${number}`, sql, checksum }
}

const STEPS = [
  migration(1, 'create table one (id integer); insert into one values (1)'),
  migration(2, 'insert into one values (2)'),
  migration(3, 'create table three (id integer)'),
]

const numbers = (migrations: Migration[]) => migrations.map(({ number }) => number)

/** Expects a refusal and returns its one line. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  )
  assert.ok(error instanceof StartupError)
  return error.message
}

test('missing migrations are applied in order, and only once', async () => {
  assert.deepEqual(numbers(await migratePostgres(database.pool, STEPS.slice(0, 1))), [1])
  assert.deepEqual(numbers(await migratePostgres(database.pool, STEPS)), [2, 3])
  assert.deepEqual(numbers(await migratePostgres(database.pool, STEPS)), [])
  const { rows } = await database.pool.query('select id from one order by id')
  assert.deepEqual(rows, [{ id: 1 }, { id: 2 }])
})

test('processes that start together apply each migration once', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migratePostgres(database.pool, STEPS)))
  assert.deepEqual(numbers(runs.flat()).sort(), [1, 2, 3])
  const { rows } = await database.pool.query('select id from one order by id')
  assert.deepEqual(rows, [{ id: 1 }, { id: 2 }])
})

test('a database with a newer schema is refused', async () => {
  await migratePostgres(database.pool, STEPS)
  assert.equal(
    await refusal(migratePostgres(database.pool, STEPS.slice(0, 2))),
    'The database schema is at 3, this version of Salus knows 2. Start a newer Salus.',
  )
})

test('an applied migration that was edited is refused', async () => {
  await migratePostgres(database.pool, STEPS)
  const edited = STEPS.with(1, migration(2, 'insert into one values (22)'))
  assert.match(
    await refusal(migratePostgres(database.pool, edited)),
    /^Migration 2 \(step_2\) was applied with another text\./,
  )
})

test('a migration that fails leaves nothing of itself and keeps the earlier ones', async () => {
  const steps = [
    ...STEPS,
    migration(4, 'insert into one values (4); insert into nowhere values (1)'),
  ]
  assert.equal(
    await refusal(migratePostgres(database.pool, steps)),
    'The PostgreSQL migration 4 step_4 failed (42P01: relation "nowhere" does not exist).',
  )
  const { rows } = await database.pool.query(
    'select (select max(id) from one) as id, (select max(number) from salus_migrations) as number',
  )
  assert.deepEqual(rows, [{ id: 2, number: 3 }])
})

test('the shipped migrations apply to an empty database', async () => {
  const shipped = readMigrations(SHIPPED)
  assert.deepEqual(await migratePostgres(database.pool, shipped), shipped)
})
