import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../server/test/database.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import type { Db } from './database.ts'
import { prepared } from './prepared-statements.ts'
import { awaitWithCommit, inOneTransaction, onOneConnection } from './transaction.ts'

const database = useFixture(createTestDatabase)

before(() => sql`create table numbers (number integer primary key)`.execute(database.db))
beforeEach(() => sql`truncate numbers`.execute(database.db))

const insert = (db: Db, number: number) => sql`insert into numbers values (${number})`.execute(db)

async function stored(): Promise<number[]> {
  const found = sql<{ number: number }>`select number from numbers order by number`
  return (await found.execute(database.db)).rows.map(({ number }) => number)
}

const DUPLICATE = /duplicate key/

test('a transaction stores all of its statements and returns the result of the work', async () => {
  const result = await inOneTransaction(database.db, async (tx) => {
    await insert(tx, 1)
    await insert(tx, 2)
    return 'done'
  })
  assert.equal(result, 'done')
  assert.deepEqual(await stored(), [1, 2])
})

test('statements that are begun together are sent before the first answer, with BEGIN', async () => {
  let sent = 0
  database.pool.once('acquire', (client) => {
    const { query } = client
    client.query = ((...given: Parameters<typeof query>) => {
      sent += 1
      return query.apply(client, given)
    }) as typeof query
    client.once('drain', () => Object.assign(client, { query }))
  })
  await inOneTransaction(database.db, async (tx) => {
    const both = [insert(tx, 1), insert(tx, 2)]
    assert.equal(sent, 3)
    await Promise.all(both)
  })
  assert.deepEqual(await stored(), [1, 2])
})

test('a failed statement undoes those before and after it, and frees the connection', async () => {
  const work = inOneTransaction(database.db, (tx) =>
    Promise.all([insert(tx, 1), insert(tx, 1), insert(tx, 2)]),
  )
  await assert.rejects(work, DUPLICATE)
  assert.deepEqual(await stored(), [])
  await inOneTransaction(database.db, (tx) => insert(tx, 3))
  assert.deepEqual(await stored(), [3])
})

test('an error of the work undoes statements that it did not wait for', async () => {
  const work = inOneTransaction(database.db, async (tx) => {
    void insert(tx, 1)
    throw new Error('changed its mind')
  })
  await assert.rejects(work, /changed its mind/)
  assert.deepEqual(await stored(), [])
})

test('the last statement is committed with the others, or undoes them', async () => {
  const both = (last: number) =>
    inOneTransaction(
      database.db,
      (tx) => insert(tx, 1),
      (tx) => insert(tx, last),
    )
  await assert.rejects(both(1), DUPLICATE)
  assert.deepEqual(await stored(), [])
  await both(2)
  assert.deepEqual(await stored(), [1, 2])
})

test('a last statement that is begun late is not overtaken by the commit', async () => {
  const late = inOneTransaction(
    database.db,
    (tx) => insert(tx, 1),
    async (tx) => {
      await Promise.resolve()
      return insert(tx, 1)
    },
  )
  await assert.rejects(late, DUPLICATE)
  assert.deepEqual(await stored(), [])
})

test('statements that are awaited with the commit are stored with it, or undo the others', async () => {
  const pair = (second: number) =>
    inOneTransaction(database.db, async (tx) => {
      await insert(tx, 1)
      await awaitWithCommit(tx, insert(tx, second))
      return second
    })
  await assert.rejects(pair(1), DUPLICATE)
  assert.deepEqual(await stored(), [])
  assert.equal(await pair(2), 2)
  assert.deepEqual(await stored(), [1, 2])
})

test('the error of a transaction is that of the statement which failed first', async () => {
  const work = inOneTransaction(database.db, async (tx) => {
    await insert(tx, 1)
    const [duplicate, refused] = [insert(tx, 1), insert(tx, 2)]
    await awaitWithCommit(tx, refused)
    await awaitWithCommit(tx, duplicate)
    await insert(tx, 3)
  })
  await assert.rejects(work, DUPLICATE)
  assert.deepEqual(await stored(), [])
})

test('statements on one connection share it, and each is stored by itself', async () => {
  const pids = await onOneConnection(database.db, async (connection) => {
    assert.equal(connection.isTransaction, false)
    const find = sql<{ pid: number }>`select pg_backend_pid() as pid`
    const [one, other] = await Promise.all([find.execute(connection), find.execute(connection)])
    await assert.rejects(Promise.all([insert(connection, 1), insert(connection, 1)]), DUPLICATE)
    return [one, other].map(({ rows }) => rows[0]?.pid)
  })
  assert.equal(pids[0], pids[1])
  assert.deepEqual(await stored(), [1])
})

test('no statement is sent after the end of its transaction', async () => {
  let ended: Db | undefined
  await inOneTransaction(database.db, async (tx) => {
    ended = tx
  })
  await assert.rejects(insert(ended as Db, 1), /The transaction has ended/)
  assert.deepEqual(await stored(), [])
})

test('a prepared statement is parsed once for a connection, and survives a new column', async () => {
  const names = await database.db.connection().execute(async (connection) => {
    const find = (number: number) =>
      sql<{ number: number }>`select number from numbers where number = ${number}`.execute(
        prepared(connection),
      )
    await insert(connection, 1)
    for (let round = 0; round < 8; round += 1) assert.equal((await find(1)).rows.length, 1)
    await sql`alter table numbers add column word text`.execute(connection)
    assert.deepEqual((await find(1)).rows, [{ number: 1 }])
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements
      where statement like 'select number from numbers where number%'`.execute(connection)
    return rows
  })
  assert.equal(names.length, 1)
})

test('a statement with all columns is not prepared', async () => {
  for (const text of ['select * from numbers', 'select numbers.* from numbers']) {
    await assert.rejects(sql.raw(text).execute(prepared(database.db)), /must name its columns/)
  }
  const { rows } = await sql`select count(*), 2 * 3 as six from numbers`.execute(database.db)
  assert.equal(rows.length, 1)
})
