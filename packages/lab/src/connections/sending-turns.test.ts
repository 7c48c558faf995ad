import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ListeningLoop } from '@salus/kernel/postgres/listening-loop'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { SendingTurns } from './sending-turns.ts'

/** Each process has a session of its own, on a pool that is smaller than the number of sends. */

let database: TestDatabase
let loops: ListeningLoop[] = []
before(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const loop of loops) await loop.close()
  loops = []
})
after(() => database.close())

function startProcess(): SendingTurns {
  const loop = new ListeningLoop({
    pool: database.pool,
    channels: [],
    onNotification: () => {},
    poll: async () => {},
    pollMs: 60_000,
    onError: () => {},
  })
  loops.push(loop)
  return new SendingTurns(loop)
}

/** Connections of the pool that someone has. */
const taken = () => database.pool.totalCount - database.pool.idleCount

test('one message of a connection is in flight, whichever process sends, and none waits for all of another process', async () => {
  const [first, second] = [startProcess(), startProcess()]
  let inFlight = 0
  const order: string[] = []
  const send = (turns: SendingTurns, name: string) =>
    turns.take('one', async () => {
      inFlight += 1
      assert.equal(inFlight, 1)
      order.push(name)
      await pause(20)
      inFlight -= 1
    })
  const many = Array.from({ length: 20 }, () => send(first, 'first'))
  while (order.length < 2) await pause(1)
  await Promise.all([...many, send(second, 'second'), send(second, 'second')])
  assert.equal(order.length, 22)
  assert.ok(order.indexOf('second') < 19, order.join())
})

test('laboratories that do not answer hold no connection of the pool', async () => {
  const turns = startProcess()
  await turns.take('warm', async () => {})
  const before = taken()
  const { promise, resolve } = Promise.withResolvers<void>()
  let waiting = 0
  const sends = Array.from({ length: 20 }, (_, index) =>
    turns.take(`laboratory ${index}`, async () => {
      waiting += 1
      await promise
      return index
    }),
  )
  while (waiting < 20) await pause(1)
  assert.equal(taken(), before)
  resolve()
  assert.deepEqual(
    await Promise.all(sends),
    sends.map((_, index) => index),
  )
})

test('a send that fails ends its turn, and a session that is lost is opened again', async () => {
  const [first, second] = [startProcess(), startProcess()]
  await assert.rejects(
    first.take('two', () => Promise.reject(new Error('no answer'))),
    /no answer/,
  )
  assert.equal(await second.take('two', async () => 'sent'), 'sent')
  const killed = await first.take('two', async () => {
    const { rowCount } = await database.pool.query(
      `select pg_terminate_backend(pid) from pg_locks
      where locktype = 'advisory' and database = (
        select oid from pg_database where datname = current_database())`,
    )
    return rowCount
  })
  assert.equal(killed, 1)
  for (const turns of [first, second]) {
    assert.equal(await turns.take('two', async () => 'sent'), 'sent')
  }
})
