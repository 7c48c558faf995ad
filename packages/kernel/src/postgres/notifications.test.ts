import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../server/test/database.ts'
import { notifyAtCommit } from './notifications.ts'
import { openSession } from './session.ts'
import { inOneTransaction } from './transaction.ts'

/** Each wait has one of its own: a notification of the wait before may still be under way. */
const ENDS = Array.from({ length: 20 }, (_, number) => `ended_${number}`)

let database: TestDatabase
let heard: string[] = []
let ends: string[] = [...ENDS]
let close: () => void
before(async () => {
  database = await createTestDatabase()
  const session = await openSession(database.pool, {
    channels: ['written', ...ENDS],
    onNotification: (channel) => heard.push(channel),
    onLost() {},
  })
  close = () => session.close()
})
after(async () => {
  close()
  await database.close()
})
beforeEach(() => {
  heard = []
})

/** Waits for a notification that was sent after all others; returns those before it. */
async function listHeard(): Promise<string[]> {
  const [end = '', ...others] = ends
  ends = others
  while (!heard.includes(end)) {
    await notifyAtCommit(database.db, end)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return heard.filter((channel) => !ENDS.includes(channel))
}

test('a statement alone notifies when it is done', async () => {
  await notifyAtCommit(database.db, 'written')
  assert.deepEqual(await listHeard(), ['written'])
})

test('a transaction notifies at its commit, and not before', async () => {
  const { db } = database
  await inOneTransaction(db, async (transaction) => {
    await notifyAtCommit(transaction, 'written')
    assert.deepEqual(await listHeard(), [])
    heard = []
  })
  assert.deepEqual(await listHeard(), ['written'])
  heard = []
  await db.transaction().execute((transaction) => notifyAtCommit(transaction, 'written'))
  assert.deepEqual(await listHeard(), ['written'])
})

test('a transaction that is rolled back or fails notifies nothing', async () => {
  const { db } = database
  const failing = sql`select 1 / 0`
  for (const open of [
    (work: (transaction: typeof db) => Promise<unknown>) => inOneTransaction(db, work),
    (work: (transaction: typeof db) => Promise<unknown>) => db.transaction().execute(work),
  ]) {
    const undone = open(async (transaction) => {
      await notifyAtCommit(transaction, 'written')
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    const failed = open(async (transaction) => {
      await notifyAtCommit(transaction, 'written')
      await failing.execute(transaction).catch(() => undefined)
    })
    await failed.catch(() => undefined)
  }
  assert.deepEqual(await listHeard(), [])
})

test('commits that come together are announced by fewer notifications', async () => {
  const { db } = database
  const commits = Array.from({ length: 100 }, () =>
    inOneTransaction(db, (transaction) => notifyAtCommit(transaction, 'written')),
  )
  await Promise.all(commits)
  const { length } = await listHeard()
  assert.ok(length >= 1 && length < 100, `${length}`)
})
