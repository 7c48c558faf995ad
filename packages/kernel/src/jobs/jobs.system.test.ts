import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../../../server/test/database.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { createLogger } from '../log.ts'
import {
  addJob,
  checkHandlers,
  defineJob,
  handleJob,
  type JobHandlers,
  joinDefinitions,
  migrateJobs,
  startWorker,
} from './jobs.ts'

const database = useFixture(createTestDatabase)
const log = createLogger('silent')
before(() => migrateJobs(database.pool, log))

const LONG = defineJob<object>('long')
const SHORT = defineJob<object>('short')
const HEARD = defineJob<object>('heard')
const GREET = defineJob<{ name: string }>('greet')

test('work of one kind that fills its worker keeps no other kind waiting', async () => {
  const { db, pool } = database
  const release = Promise.withResolvers<void>()
  const quick = Promise.withResolvers<void>()
  const long = { handlers: handleJob(LONG, () => release.promise), schedule: '' }
  const short = joinDefinitions([
    { handlers: handleJob(SHORT, async () => quick.resolve()), schedule: '' },
    { handlers: { other: async () => undefined }, schedule: '' },
  ])
  const options = { pool, concurrency: 1, log }
  const workers = [
    await startWorker({ ...options, definitions: long }),
    await startWorker({ ...options, definitions: short }),
  ]
  for (let count = 0; count < 3; count++) await addJob(db, LONG, {})
  await addJob(db, SHORT, {})
  await quick.promise
  release.resolve()
  for (const worker of workers) await worker.stop()
  const { rows } = await pool.query(
    'select from graphile_worker.jobs where task_identifier <> $1',
    ['long'],
  )
  assert.equal(rows.length, 0)
})

/** Backends of this database that hold the lock of a process or listen. */
async function listSessions(): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(`
    select pid from pg_stat_activity where datname = current_database() and (query like 'listen%'
      or pid in (select pid from pg_locks where locktype = 'advisory' and granted))`)
  return rows.map(({ pid }) => pid)
}

test('workers of a process share one session, and hear again after it broke', async () => {
  const { db, pool } = database
  let heard = 0
  const hear = async () => {
    heard += 1
  }
  const definitions = { handlers: handleJob(HEARD, hear), schedule: '' }
  const start = () => startWorker({ pool, concurrency: 1, log, definitions })
  const workers = [await start(), await start()]
  const [first, ...others] = await listSessions()
  assert.deepEqual(others, [])
  await pool.query('select pg_terminate_backend($1)', [first])
  const deadline = Date.now() + 20_000
  const until = async (isTrue: () => boolean | Promise<boolean>) => {
    while (!(await isTrue())) {
      assert.ok(Date.now() < deadline)
      await sleep(20)
    }
  }
  await until(async () => {
    const [again, ...more] = await listSessions()
    return again !== undefined && again !== first && more.length === 0
  })
  await addJob(db, HEARD, {})
  await until(() => heard === 1)
  for (const worker of workers) await worker.stop()
  await until(async () => (await listSessions()).length === 0)
})

test('a job is stored as the queue itself stores it, once for a key', async () => {
  const { db, pool } = database
  const runAt = new Date('2030-01-01T00:00:00Z')
  const options = { queue: 'one after the other', key: 'only-one', runAt, priority: 3 }
  const columns = `task_id, job_queue_id, payload::text, priority, run_at, attempts, max_attempts,
    last_error, locked_at, locked_by, revision, flags, is_available`
  const takeRow = async () => {
    const { rows } = await pool.query(
      `delete from graphile_worker._private_jobs where key = 'only-one' returning ${columns}`,
    )
    return rows
  }
  const add = () => addJob(db, GREET, { name: 'Ada' }, options)
  const byQueue = `select graphile_worker.add_job('greet', '{"name":"Ada"}'::json,
    queue_name => 'one after the other', max_attempts => 25, job_key => 'only-one',
    job_key_mode => 'unsafe_dedupe', run_at => '2030-01-01T00:00:00Z', priority => 3)`
  await add()
  const [own, ...more] = await takeRow()
  await pool.query(byQueue)
  const [expected] = await takeRow()
  assert.ok(expected)
  assert.deepEqual([own, more], [expected, []])
  await add()
  await add()
  const again = await takeRow()
  assert.deepEqual([again.length, again[0].revision], [1, 1])
})

test('a job takes the payload of its kind, and passes it to its handler', async () => {
  const { db, pool } = database
  const greeted = Promise.withResolvers<string>()
  await addJob(db, GREET, { name: 'Ada' })
  // These do not compile, which the check of types proves; they are never called.
  const wrong = [
    // @ts-expect-error: another payload
    () => addJob(db, GREET, { title: 'Ada' }),
    // @ts-expect-error: more than the payload
    () => addJob(db, GREET, { name: 'Ada', age: 36 }),
    // @ts-expect-error: a kind that is not defined
    () => addJob(db, 'greet', { name: 'Ada' }),
    // @ts-expect-error: a handler of another payload
    () => handleJob(GREET, async ({ title }) => title),
  ]
  assert.equal(wrong.length, 4)
  const handlers = handleJob(GREET, async ({ name }) => greeted.resolve(name))
  const definitions = { handlers, schedule: '' }
  const worker = await startWorker({ pool, definitions, concurrency: 1, log })
  assert.equal(await greeted.promise, 'Ada')
  await worker.stop()
})

/**
 * What a check finds without a handler, beside the kinds that other files of this process define.
 */
function findMissing(handlers: JobHandlers, schedule: string): string[] {
  const check = (given: JobHandlers, lines: string): string[] => {
    try {
      checkHandlers([{ handlers: given, schedule: lines }])
      return []
    } catch (error) {
      const [, names = ''] = /without a handler: (.*)\.$/.exec((error as Error).message) ?? []
      return names.split(', ')
    }
  }
  const nothing = async () => undefined
  const others = check({ long: nothing, short: nothing, greet: nothing }, '')
  return check(handlers, schedule).filter((name) => !others.includes(name))
}

test('a kind of job without a handler, and a line of the schedule without one, stop the start', () => {
  const nothing = async () => undefined
  const handlers = { long: nothing, short: nothing, greet: nothing, swept: nothing }
  assert.deepEqual(findMissing(handlers, '\n* * * * * swept'), [])
  const { greet: _, ...others } = handlers
  assert.deepEqual(findMissing(others, ''), ['greet'])
  assert.deepEqual(findMissing(handlers, '1 2 * * * swep'), ['swep'])
  assert.throws(() => defineJob('greet'), /defined twice/)
})
