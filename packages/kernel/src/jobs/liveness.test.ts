import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { createLogger } from '../log.ts'
import { migrateJobs } from './jobs.ts'
import { openLiveness } from './liveness.ts'

let database: TestDatabase
const log = createLogger('silent')
before(async () => {
  database = await createTestDatabase()
  await migrateJobs(database.pool, log)
})
after(() => database.close())

/** Backends of this database that hold an advisory lock. */
async function holders(): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.map(({ pid }) => pid)
}

test('a process whose lock broke with its connection takes it again', async () => {
  const liveness = await openLiveness(database.pool, log)
  const [first] = await holders()
  assert.ok(first)
  await database.pool.query('select pg_terminate_backend($1)', [first])
  const deadline = Date.now() + 10_000
  let now = await holders()
  while ((now.length === 0 || now.includes(first)) && Date.now() < deadline) {
    await sleep(20)
    now = await holders()
  }
  assert.equal(now.length, 1)
  assert.notEqual(now[0], first)
  await liveness.close()
  // The server notices the end of a connection in its own time.
  while ((await holders()).length > 0 && Date.now() < deadline) await sleep(20)
  assert.deepEqual(await holders(), [])
})
