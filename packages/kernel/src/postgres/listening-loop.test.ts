import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@salus/contracts/time-units'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { ListeningLoop, type ListeningLoopOptions } from './listening-loop.ts'

const RARELY_MS = HOUR_MS

let database: TestDatabase
let open: ListeningLoop[] = []
before(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const loop of open) await loop.close()
  open = []
})
after(() => database.close())

function openLoop(options: Partial<ListeningLoopOptions> = {}) {
  const seen = { polls: 0, losses: 0, errors: 0, notifications: [] as string[] }
  const loop = new ListeningLoop({
    pool: database.pool,
    channels: ['loop_one', 'loop_two'],
    onNotification: (channel, payload) => seen.notifications.push(`${channel} ${payload}`),
    onLost: () => {
      seen.losses += 1
    },
    poll: async () => {
      seen.polls += 1
    },
    pollMs: RARELY_MS,
    onError: () => {
      seen.errors += 1
    },
    ...options,
  })
  open.push(loop)
  return { loop, seen }
}

const notify = (channel: string, payload: string) =>
  database.pool.query('select pg_notify($1, $2)', [channel, payload])

/** The backend of this database that holds an advisory lock. */
async function findHolder(): Promise<number | undefined> {
  const { rows } = await database.pool.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows[0]?.pid
}

async function until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, what)
    await sleep(5)
  }
}

test('polls at once and on request, and passes on what comes on its channels', async () => {
  const { loop, seen } = openLoop()
  await loop.poll()
  const polls = seen.polls
  await loop.poll()
  assert.equal(seen.polls, polls + 1)
  await notify('loop_one', 'a')
  await notify('loop_two', '')
  await notify('loop_three', 'c')
  await until('both came', () => seen.notifications.length === 2)
  assert.deepEqual(seen.notifications, ['loop_one a', 'loop_two '])
})

test('polls at intervals, and earlier on request', async () => {
  const often = openLoop({ pollMs: 5 })
  await until('many polls', () => often.seen.polls > 5)
  const { loop, seen } = openLoop()
  await loop.poll()
  const polls = seen.polls
  loop.pollIn(RARELY_MS / 2)
  loop.pollIn(5)
  loop.pollIn(RARELY_MS / 4)
  await until('one more', () => seen.polls === polls + 1)
})

test('a session that breaks loses its locks, and the next poll opens another one', async () => {
  const { loop, seen } = openLoop()
  const other = openLoop()
  await loop.poll()
  assert.equal(await loop.tryLock('x'), true)
  assert.equal(await other.loop.tryLock('x'), false)
  await other.loop.close()
  const lost = await findHolder()
  await database.pool.query('select pg_terminate_backend($1)', [lost])
  await until('the loss is noticed', () => seen.losses === 1)
  await loop.poll()
  await notify('loop_one', 'again')
  await until('it listens', () => seen.notifications.length === 1)
  assert.equal(await loop.tryLock('x'), true)
  assert.notEqual(await findHolder(), lost)
  await loop.unlock('x')
  assert.equal(await openLoop().loop.tryLock('x'), true)
})

test('a database that is away is an error of each poll, and tried again', async () => {
  let isAway = true
  const connect = () => (isAway ? Promise.reject(new Error('away')) : database.pool.connect())
  const pool = new Proxy(database.pool, {
    get: (target, name) => (name === 'connect' ? connect : Reflect.get(target, name)),
  })
  const { seen } = openLoop({ pool, pollMs: 5 })
  await until('it is tried', () => seen.errors > 2)
  assert.equal(seen.polls, 0)
  isAway = false
  await until('it polls', () => seen.polls > 0)
})

test('a poll that fails does not end the loop', async () => {
  let polls = 0
  const { seen } = openLoop({
    pollMs: 5,
    poll: async () => {
      polls += 1
      throw new Error('no')
    },
  })
  await until('it goes on', () => polls > 2 && seen.errors > 2)
})

test('stop waits for the poll under way and keeps locks; close gives them up', async () => {
  const held = Promise.withResolvers<void>()
  let polls = 0
  const { loop, seen } = openLoop({
    pollMs: 1,
    poll: () => {
      polls += 1
      return held.promise
    },
  })
  assert.equal(await loop.tryLock('y'), true)
  await until('it polls', () => polls === 1)
  let isStopped = false
  const stopped = loop.stop().then(() => {
    isStopped = true
  })
  await sleep(10)
  assert.equal(isStopped, false)
  held.resolve()
  await stopped
  await notify('loop_one', 'late')
  loop.pollIn(0)
  await loop.poll()
  await sleep(10)
  assert.deepEqual([polls, seen.notifications], [1, []])
  const other = openLoop()
  assert.equal(await other.loop.tryLock('y'), false)
  await loop.close()
  await until('the lock is free', () => other.loop.tryLock('y'))
  assert.deepEqual([seen.losses, seen.errors], [0, 0])
})
