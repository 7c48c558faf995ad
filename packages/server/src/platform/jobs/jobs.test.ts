import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { createLogger } from '../log.ts'
import { addJob, joinDefinitions, migrateJobs, startWorker } from './jobs.ts'

let database: TestDatabase
const log = createLogger('silent')
before(async () => {
  database = await createTestDatabase()
  await migrateJobs(database.pool, log)
})
after(() => database.close())

test('work of one kind that fills its worker keeps no other kind waiting', async () => {
  const { db, pool } = database
  const release = Promise.withResolvers<void>()
  const quick = Promise.withResolvers<void>()
  const long = { handlers: { long: () => release.promise }, schedule: '' }
  const short = joinDefinitions([
    { handlers: { short: async () => quick.resolve() }, schedule: '' },
    { handlers: { other: async () => undefined }, schedule: '' },
  ])
  const options = { pool, concurrency: 1, log }
  const workers = [
    await startWorker({ ...options, definitions: long }),
    await startWorker({ ...options, definitions: short }),
  ]
  for (let count = 0; count < 3; count++) await addJob(db, { task: 'long', payload: {} })
  await addJob(db, { task: 'short', payload: {} })
  await quick.promise
  release.resolve()
  for (const worker of workers) await worker.stop()
  const { rows } = await pool.query(
    'select from graphile_worker.jobs where task_identifier <> $1',
    ['long'],
  )
  assert.equal(rows.length, 0)
})
