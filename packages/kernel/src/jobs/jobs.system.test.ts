import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
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

test('a connection that breaks while the queue ends is given back once, and the process goes on', async () => {
  const pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', () => undefined)
  const listening = Promise.withResolvers<void>()
  let listener: pg.PoolClient | undefined
  const broken = Promise.withResolvers<never>()
  // The listener learns that the connection is broken while the queue returns it, and returns it
  // for that reason too.
  pool.on('connect', (client) => {
    const query: (...given: unknown[]) => unknown = client.query.bind(client)
    const answer = (...given: unknown[]) => {
      const [text] = given
      if (String(text).startsWith('UNLISTEN')) {
        broken.reject(new Error('Connection terminated unexpectedly'))
        return Promise.resolve()
      }
      if (!String(text).startsWith('LISTEN')) return query(...given)
      listener = client as pg.PoolClient
      listening.resolve()
      return broken.promise
    }
    Object.assign(client, { query: answer })
  })
  // The pool may lend it for other queries before and after it listens. A second return of one loan
  // would throw in the pool.
  const loans = new Map<unknown, number>()
  const change = (client: unknown, by: number) => loans.set(client, (loans.get(client) ?? 0) + by)
  pool.on('acquire', (client) => change(client, 1))
  pool.on('release', (_error, client) => change(client, -1))
  const definitions = { handlers: handleJob(HEARD, async () => {}), schedule: '' }
  const worker = await startWorker({ pool, concurrency: 1, log, definitions })
  await listening.promise
  await worker.stop()
  await sleep(20)
  assert.equal(loans.get(listener), 0)
  await pool.end()
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
