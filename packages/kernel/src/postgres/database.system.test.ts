import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { StartupError } from '../errors.ts'
import { checkDatabase, type OpenDatabase, openDatabase } from './database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

let folder: string
let postgres: EmbeddedPostgres
let database: OpenDatabase

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'salus-database-'))
  postgres = await startEmbeddedPostgres({ directory: join(folder, 'postgres'), log: () => {} })
  database = openDatabase({ url: postgres.url, poolSize: 4 })
})

after(async () => {
  await database?.close()
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function readOne(expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(
    database.db,
  )
  return rows[0]?.value
}

async function refusal(url: string): Promise<string> {
  const { pool, close } = openDatabase({ url, poolSize: 1 })
  try {
    await checkDatabase(pool)
    return 'no refusal'
  } catch (error) {
    assert.ok(error instanceof StartupError)
    return error.message
  } finally {
    await close()
  }
}

test('dates stay text, instants become Date and bigints become numbers', async () => {
  assert.equal(await readOne("'2024-02-29'::date"), '2024-02-29')
  assert.deepEqual(
    await readOne("'2024-02-29 12:00+02'::timestamptz"),
    new Date('2024-02-29T10:00:00Z'),
  )
  assert.equal(await readOne('9007199254740991::bigint'), Number.MAX_SAFE_INTEGER)
  assert.deepEqual(await readOne('array[1, null, 3]::bigint[]'), [1, null, 3])
  assert.equal(await readOne('1.50::numeric'), '1.50')
  assert.equal(await readOne('count(*)'), 1)
})

test('a bigint that no number can hold is an error', async () => {
  await assert.rejects(readOne('9007199254740992::bigint'), RangeError)
  assert.equal(await readOne('1'), 1)
})

test('a database that answers passes the check', async () => {
  await assert.doesNotReject(checkDatabase(database.pool))
})

test('an idle connection that breaks is reported and replaced', async () => {
  const broken = Promise.withResolvers<Error>()
  const other = openDatabase({ url: postgres.url, poolSize: 1, onIdleError: broken.resolve })
  const { rows } = await other.pool.query('select pg_backend_pid() as pid')
  await database.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
  assert.ok((await broken.promise) instanceof Error)
  const replaced = await other.pool.query('select pg_backend_pid() as pid')
  assert.notEqual(replaced.rows[0].pid, rows[0].pid)
  await other.close()
})

test('an unreachable database is one line without the password', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  await new Promise((resolve) => server.close(resolve))
  assert.equal(
    await refusal(`postgresql://user:hunter2@127.0.0.1:${address.port}/salus`),
    `Cannot reach PostgreSQL at 127.0.0.1:${address.port} (ECONNREFUSED). Check DATABASE_URL.`,
  )
})

test('a wrong password and a missing database say so', async () => {
  const wrong = new URL(postgres.url)
  wrong.password = 'hunter2'
  assert.match(await refusal(wrong.href), /refuses the user name or password \(28P01\)/)
  const missing = new URL(postgres.url)
  missing.pathname = '/elsewhere'
  assert.match(await refusal(missing.href), /has no database of that name \(3D000\)/)
})
