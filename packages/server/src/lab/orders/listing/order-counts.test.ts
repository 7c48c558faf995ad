import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import {
  insertOrders,
  insertUsers,
  type ListedOrder,
  makeEnvironment,
  updateOrder,
} from '../../../../test/orders/listed-orders.ts'
import { type OpenDatabase, openDatabase } from '../../../platform/postgres/database.ts'
import { foldOrderCounts } from './fold-order-counts.repository.ts'
import { countMatchingOrders } from './listed-page.repository.ts'
import { toOrderFilter } from './orders-list.filter.ts'
import { findOrderPage } from './orders-list.repository.ts'
import type { OrderListQuery } from './orders-list.schema.ts'

const TODAY = '2026-03-01'

let database: TestDatabase
let open: OpenDatabase
before(async () => {
  database = await createTestDatabase()
  open = openDatabase({ url: database.url, poolSize: 12 })
})
after(async () => {
  await open.close()
  await database.close()
})

type Environment = Awaited<ReturnType<typeof makeEnvironment>>

const makeTestEnvironment = () => makeEnvironment(database.pool, { users: 3, transactions: 1 })

function makeOrder(environment: Environment, change: Partial<ListedOrder> = {}): ListedOrder {
  return {
    id: randomUUID(),
    user_id: environment.userIds[0] ?? '',
    transaction_id: environment.transactionIds[0] ?? '',
    method: 'testkit',
    last_status: 'ordered',
    interpretation: null,
    activate_by: null,
    patient_name: 'mary smith',
    patient_dob: '1980-01-31',
    shipping_recipient_name: 'mary smith',
    created_at: new Date('2026-02-01T10:00:00Z'),
    updated_at: new Date('2026-02-01T10:00:00Z'),
    ...change,
  }
}

/** Filters that are answered by each of the counts. */
const QUERIES: Partial<OrderListQuery>[] = [
  {},
  { status: ['completed'] },
  { updated_start_date: '2026-02-03T12:00:00Z' },
  { patient_name: 'mary' },
  { patient_name: 'a' },
  { search_input: 'nn', order_key: 'patient_name' },
]
const filters = QUERIES.map((query) => toOrderFilter({ page: 1, size: 50, ...query }))

const ALL = toOrderFilter({ page: 1, size: 100 })

async function totals(environmentId: string): Promise<number[]> {
  const pages = filters.map((filter) =>
    findOrderPage(open.db, environmentId, filter, { today: TODAY }),
  )
  return (await Promise.all(pages)).map(({ total }) => total)
}

async function countRows(table: string, environmentId: string): Promise<number> {
  const { rows } = await open.pool.query(
    `select count(*) as rows from ${table} where environment_id = $1`,
    [environmentId],
  )
  return rows[0].rows
}

test('orders count from the commit on, and those taken back never', async () => {
  const environment = await makeTestEnvironment()
  const order = makeOrder(environment)
  const client = await open.pool.connect()
  await client.query('begin')
  await insertOrders(client, environment.id, [order, makeOrder(environment)])
  assert.deepEqual(await totals(environment.id), [0, 0, 0, 0, 0, 0])
  await foldOrderCounts(open.db)
  await client.query('commit')
  assert.deepEqual(await totals(environment.id), [2, 0, 0, 2, 2, 0])

  await client.query('begin')
  await updateOrder(client, environment.id, order.id, { last_status: 'completed' })
  await foldOrderCounts(open.db)
  assert.deepEqual(await totals(environment.id), [2, 0, 0, 2, 2, 0])
  await client.query('rollback')
  client.release()
  await foldOrderCounts(open.db)
  assert.deepEqual(await totals(environment.id), [2, 0, 0, 2, 2, 0])
})

test('folding moves every change once, also when two do it at a time', async () => {
  const environment = await makeTestEnvironment()
  const orders = Array.from({ length: 40 }, () => makeOrder(environment))
  await insertOrders(open.pool, environment.id, orders)
  const folded = await Promise.all([foldOrderCounts(open.db, 7), foldOrderCounts(open.db, 7)])
  assert.equal(folded[0] + folded[1] + (await foldOrderCounts(open.db)), 40)
  assert.equal(await countRows('order_count_changes', environment.id), 0)
  assert.deepEqual(await totals(environment.id), [40, 0, 0, 40, 40, 0])
  assert.equal(await foldOrderCounts(open.db), 0)
})

test('updates of what is not counted by are not logged', async () => {
  const environment = await makeTestEnvironment()
  const order = makeOrder(environment)
  await insertOrders(open.pool, environment.id, [order])
  await updateOrder(open.pool, environment.id, order.id, {
    updated_at: new Date('2026-02-01T23:00:00Z'),
  })
  await updateOrder(open.pool, environment.id, order.id, { activate_by: '2026-04-01' })
  assert.equal(await countRows('order_count_changes', environment.id), 1)
})

test('nothing of a name is left when its last order is gone', async () => {
  const environment = await makeTestEnvironment()
  const [userId = ''] = environment.userIds
  await insertOrders(open.pool, environment.id, [makeOrder(environment), makeOrder(environment)])
  await foldOrderCounts(open.db)
  assert.equal(await countRows('order_name_counts', environment.id), 1)
  await open.pool.query('delete from users where id = $1', [userId])
  assert.deepEqual(await totals(environment.id), [0, 0, 0, 0, 0, 0])
  await foldOrderCounts(open.db)
  const tables = ['order_count_changes', 'order_counts', 'order_name_counts', 'order_letter_counts']
  for (const table of tables) assert.equal(await countRows(table, environment.id), 0, table)
})

test('changes of names may be folded in any order', async () => {
  const environment = await makeTestEnvironment()
  const log = (patientName: string, recipientName: string, change: number) =>
    open.pool.query(
      `insert into order_count_changes
      values ($1, '2026-02-01', '2026-02-01', 'testkit', 'ordered', null, $2, $3, $4)`,
      [environment.id, patientName, recipientName, change],
    )
  // The name went from the patient to the recipient before the order itself was counted.
  await log('mary', '', -1)
  await log('', 'mary', 1)
  await foldOrderCounts(open.db)
  await log('mary', '', 1)
  await foldOrderCounts(open.db)
  const { rows } = await open.pool.query(
    `select distinct in_patient_name, in_shipping_recipient_name, in_either
    from order_letter_counts where environment_id = $1`,
    [environment.id],
  )
  assert.deepEqual(rows, [{ in_patient_name: 0, in_shipping_recipient_name: 1, in_either: 1 }])
})

/** One transaction of a writer: a few changes of orders that only it changes, at times taken back. */
const transactions = fc.record({
  isTakenBack: fc.boolean(),
  changes: fc.array(
    fc.record({
      kind: fc.constantFrom('insert', 'insert', 'update', 'rename', 'delete', 'erase user'),
      which: fc.nat(),
      day: fc.constantFrom('2026-02-01', '2026-02-03', '2026-02-04'),
      name: fc.constantFrom('mary smith', 'anne marymount', 'joan baez'),
      last_status: fc.constantFrom('ordered' as const, 'completed' as const),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

async function write(client: pg.PoolClient, environment: Environment, seed: number) {
  const [userId = randomUUID()] = [randomUUID()]
  await insertUsers(client, environment.id, [userId])
  for (const { isTakenBack, changes } of fc.sample(transactions, { numRuns: 25, seed })) {
    await client.query('begin')
    for (const { kind, which, day, name, last_status } of changes) {
      const { rows } = await client.query<{ id: string }>(
        'select id from orders where environment_id = $1 and user_id = $2 order by id',
        [environment.id, userId],
      )
      const { id } = rows[which % rows.length] ?? { id: randomUUID() }
      const updated_at = new Date(`${day}T13:00:00Z`)
      if (kind === 'insert') {
        const names = { patient_name: name, shipping_recipient_name: name }
        const order = makeOrder(environment, { ...names, user_id: userId, last_status, updated_at })
        await insertOrders(client, environment.id, [order])
      }
      if (kind === 'update') {
        await updateOrder(client, environment.id, id, { last_status, updated_at })
      }
      if (kind === 'rename') await updateOrder(client, environment.id, id, { patient_name: name })
      if (kind === 'delete') await client.query('delete from orders where id = $1', [id])
      if (kind === 'erase user') {
        await client.query('delete from users where id = $1', [userId])
        await insertUsers(client, environment.id, [userId])
      }
    }
    await client.query(isTakenBack ? 'rollback' : 'commit')
  }
}

test('totals are those of count(*) in every moment while others write and fold', async () => {
  const environment = await makeTestEnvironment()
  let isWriting = true
  const writers = [1, 2, 3, 4].map(async (seed) => {
    const client = await open.pool.connect()
    await write(client, environment, seed)
    client.release()
  })
  const folding = (async () => {
    while (isWriting) await foldOrderCounts(open.db, 5)
  })()
  let comparisons = 0
  const reading = (async () => {
    while (isWriting) {
      await open.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          for (const filter of filters) {
            const ask = [transaction, environment.id, filter] as const
            const { total } = await findOrderPage(...ask, { today: TODAY })
            assert.equal(total, await countMatchingOrders(...ask, TODAY))
          }
        })
      const { ids, total } = await findOrderPage(open.db, environment.id, ALL, { today: TODAY })
      assert.equal(ids.length, Math.min(total, ALL.size))
      comparisons++
    }
  })()
  await Promise.all(writers)
  isWriting = false
  await Promise.all([folding, reading])
  assert.ok(comparisons > 0)
})
