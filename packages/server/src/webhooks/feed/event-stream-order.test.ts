import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@salus/kernel/ids'
import { type Db, type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import { createHarness, type Harness } from '../../../test/harness.ts'
import { listen, openStream } from '../../../test/webhooks/stream-reader.ts'
import { until } from '../../../test/webhooks/until.ts'
import {
  openNewEnvironment,
  type WebhookEnvironment,
} from '../../../test/webhooks/webhook-environment.ts'

const WRITERS = 50

let salus: Harness
let server: string
let writing: OpenDatabase
before(async () => {
  salus = await createHarness()
  server = await listen(salus)
  writing = openDatabase({ url: salus.database.url, poolSize: WRITERS + 2 })
})
after(async () => {
  await writing?.close()
  await salus?.close()
})

const open = (environment: WebhookEnvironment, lastEventId = '') =>
  openStream(server, environment, salus.managementKey, { lastEventId })

interface OpenTransaction {
  /** What was written so far. */
  ids: string[]
  commit(): Promise<void>
}

/** Writes in a transaction that stays open. */
async function begin(write: (db: Db) => Promise<string[]>): Promise<OpenTransaction> {
  const gate = Promise.withResolvers<void>()
  const written = Promise.withResolvers<string[]>()
  const done = writing.db.transaction().execute(async (transaction) => {
    written.resolve(await write(transaction))
    await gate.promise
  })
  const ids = await written.promise
  return {
    ids,
    commit() {
      gate.resolve()
      return done
    },
  }
}

/** A reader that is cut off again and again, and comes back with the last id that it has. */
async function readWithCuts(environment: WebhookEnvironment, isDone: (ids: string[]) => boolean) {
  const ids: string[] = []
  let lastEventId = '0-0'
  let cuts = 0
  await until('all came', async () => {
    const reader = await open(environment, lastEventId)
    await sleep(Math.random() * 60)
    reader.close()
    await reader.ended
    ids.push(...reader.ids())
    lastEventId = reader.lastPosition() || lastEventId
    cuts += 1
    return isDone(ids)
  })
  return { ids, cuts }
}

describe('with many writers at once', () => {
  test('a reader gets each committed event once, whenever it is cut off', async () => {
    const environment = await openNewEnvironment(salus)
    const committed: string[][] = []
    const long = await begin(async (db) => [
      await environment.raise({ db }),
      await environment.raise({ db }),
    ])
    const reading = readWithCuts(environment, (ids) => ids.length >= WRITERS * 3 + 2)
    const steady = await open(environment, '0-0')
    const write = async (number: number): Promise<void> => {
      await sleep(Math.random() * 200)
      const isKept = number % 10 !== 0
      const ids: string[] = []
      const writer = writing.db.transaction().execute(async (db) => {
        for (let count = 0; count < 3; count += 1) {
          ids.push(await environment.raise({ db, userId: newId() }))
          // The later they begin, the sooner some of them end.
          await sleep(Math.random() * 40)
        }
        if (!isKept) throw new Error('taken back')
      })
      await writer.catch(() => undefined)
      if (isKept) committed.push(ids)
      else await write(number + 1)
    }
    const writers = Array.from({ length: WRITERS }, (_, number) => write(number))
    await Promise.all(writers)
    await sleep(300)
    await long.commit()
    committed.push(long.ids)
    const expected = committed.flat().toSorted()
    const { ids, cuts } = await reading
    assert.deepEqual(ids.toSorted(), expected)
    assert.ok(cuts > 3)
    assert.deepEqual((await steady.untilCount(expected.length)).toSorted(), expected)
    steady.close()
    assert.deepEqual(steady.ids(), ids, 'the order is the same for every reader')
    for (const transaction of committed) {
      const ofTransaction = ids.filter((id) => transaction.includes(id))
      assert.deepEqual(ofTransaction, transaction, 'in order of writing within a transaction')
    }
  })

  test('an event does not get lost behind one that was committed before it', async () => {
    const environment = await openNewEnvironment(salus)
    const reader = await open(environment)
    const slow = await begin(async (db) => [await environment.raise({ db })])
    const quick = [await environment.raise(), await environment.raise()]
    await sleep(200)
    await slow.commit()
    assert.deepEqual(await reader.untilCount(3), [...slow.ids, ...quick])
    reader.close()
  })

  test('one that commits while no one reads is there for a returning reader', async () => {
    const environment = await openNewEnvironment(salus)
    const reader = await open(environment)
    const before = await environment.raise()
    await reader.untilCount(1)
    const slow = await begin(async (db) => [await environment.raise({ db })])
    const quick = await environment.raise()
    reader.close()
    await reader.ended
    const lastEventId = reader.lastPosition()
    await slow.commit()
    const again = await open(environment, lastEventId)
    const ids = await again.untilCount(2)
    again.close()
    assert.deepEqual([...reader.ids(), ...ids], [before, ...slow.ids, quick])
  })

  test('a reader that begins now gets what is committed from then on', async () => {
    const environment = await openNewEnvironment(salus)
    const slow = await begin(async (db) => [await environment.raise({ db })])
    const reader = await open(environment)
    await until('it is ready', () => reader.items.length > 0)
    await slow.commit()
    assert.deepEqual(await reader.untilCount(1), slow.ids)
    reader.close()
  })

  test('a transaction that writes no event holds events up only until it ends', async () => {
    const environment = await openNewEnvironment(salus)
    const reader = await open(environment)
    const other = await begin(async (db) => {
      await db.updateTable('teams').set({ name: 'Renamed' }).execute()
      return []
    })
    const id = await environment.raise()
    await sleep(100)
    await other.commit()
    assert.deepEqual(await reader.untilCount(1), [id])
    reader.close()
  })

  test('the order is that of the numbers of transactions, not of their digits', async () => {
    const environment = await openNewEnvironment(salus)
    const ids: string[] = []
    for (const transaction of ['9', '10', '99', '100']) {
      const id = await environment.raise()
      const text = 'update events set transaction_id = $1::xid8 where id = $2'
      await salus.database.pool.query(text, [transaction, id])
      ids.push(id)
    }
    const reader = await open(environment, '0-0')
    assert.deepEqual(await reader.untilCount(4), ids)
    reader.close()
    const second = reader.items[2]?.position
    assert.equal(second?.split('-')[0], '10')
    const again = await open(environment, second)
    assert.deepEqual(await again.untilCount(2), ids.slice(2))
    again.close()
  })
})
