import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { campaignRuns } from '../../../../test/campaign-runs.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { listByHand } from '../../../../test/orders/list-oracle.ts'
import {
  insertOrders,
  insertUsers,
  type ListedOrder,
  makeEnvironment,
  updateOrder,
} from '../../../../test/orders/listed-orders.ts'
import {
  questions,
  type Step,
  steps,
  TRANSACTIONS,
  toQuery,
  USERS,
} from '../../../../test/orders/order-arbitraries.ts'
import type { AppError } from '../../../platform/errors.ts'
import { foldOrderCounts } from './fold-order-counts.repository.ts'
import {
  countMatchingOrders,
  gatherPage,
  gatherPageByNames,
  type OrderPage,
  walkToPage,
} from './listed-page.repository.ts'
import {
  countByLetters,
  countNamedOrders,
  countOrders,
  isCountedByLetters,
} from './order-counts.repository.ts'
import { type OrderFilter, toOrderFilter } from './orders-list.filter.ts'
import { findOrderPage } from './orders-list.repository.ts'
import type { OrderListQuery } from './orders-list.schema.ts'

const TODAY = '2026-02-28'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.close())

interface Fixture {
  environment: Awaited<ReturnType<typeof makeEnvironment>>
  orders: ListedOrder[]
}

/** An empty environment, and beside it one with orders that no list of the first may show. */
async function makeFixture(): Promise<Fixture> {
  const counts = { users: USERS, transactions: TRANSACTIONS }
  const environment = await makeEnvironment(database.pool, counts)
  return { environment, orders: [] }
}

/** Does the step to the database and to the orders at hand. */
async function take(step: Step, { environment, orders }: Fixture): Promise<void> {
  const { pool, db } = database
  const target = 'which' in step ? orders[step.which % orders.length] : undefined
  switch (step.kind) {
    case 'insert': {
      const made = step.orders.map(({ user, transaction, ...order }) => ({
        ...order,
        id: randomUUID(),
        user_id: environment.userIds[user] ?? '',
        transaction_id: environment.transactionIds[transaction] ?? '',
      }))
      orders.push(...made)
      return insertOrders(pool, environment.id, made)
    }
    case 'update':
      if (target === undefined) return
      Object.assign(target, step.change)
      return updateOrder(pool, environment.id, target.id, step.change)
    case 'delete':
      if (target === undefined) return
      orders.splice(orders.indexOf(target), 1)
      await pool.query('delete from orders where id = $1', [target.id])
      return
    case 'erase user': {
      const userId = environment.userIds[step.user] ?? ''
      await pool.query('delete from users where id = $1', [userId])
      await insertUsers(pool, environment.id, [userId])
      for (const order of orders.filter(({ user_id }) => user_id === userId)) {
        orders.splice(orders.indexOf(order), 1)
      }
      return
    }
    case 'fold':
      await foldOrderCounts(db, step.most)
  }
}

/** Large teams are listed by ways that a few orders would never need. */
async function findEveryWay(environmentId: string, filter: OrderFilter, expected: OrderPage) {
  const { db } = database
  const ask = [db, environmentId, filter, TODAY] as const
  const { total } = expected
  assert.deepEqual(await findOrderPage(db, environmentId, filter, { today: TODAY }), expected)
  assert.deepEqual(await gatherPage(...ask), expected)
  assert.deepEqual(await walkToPage(...ask, total), expected)
  assert.equal(await countMatchingOrders(...ask), total)
  if (filter.names.length > 0) assert.deepEqual(await gatherPageByNames(...ask), expected)
}

const OPEN = { from: null, before: null }
const ALL: OrderFilter = toOrderFilter({ page: 1, size: 1 })

/** The numbers that ways are chosen by, and that stand for the totals of large teams. */
async function countEveryWay(environmentId: string, filter: OrderFilter, orders: ListedOrder[]) {
  const { db } = database
  const { statuses, methods, interpretations, names } = filter
  const activation = filter.activation === 'scheduled' ? null : filter.activation
  const state = { ...ALL, statuses, methods, interpretations, activation }
  const totalOf = (some: OrderFilter) => listByHand(orders, some, TODAY).total
  for (const by of ['created_at', 'updated_at'] as const) {
    const created = by === 'created_at' ? filter.created : OPEN
    const updated = by === 'updated_at' ? filter.updated : OPEN
    const counted = { ...state, created, updated }
    assert.equal(await countOrders(db, environmentId, counted, by, TODAY), totalOf(counted))
  }
  const named = await countNamedOrders(db, environmentId, names)
  assert.equal(named.total, totalOf({ ...ALL, names }))
  for (const name of names.filter(isCountedByLetters)) {
    const counted = await countByLetters(db, environmentId, name)
    assert.equal(counted, totalOf({ ...ALL, names: [name] }))
  }
}

/** Undefined for a range that ends before it starts, which is refused. */
function filterOf(query: OrderListQuery): OrderFilter | undefined {
  try {
    return toOrderFilter(query)
  } catch (error) {
    assert.equal((error as AppError).errorType, 'invalid_date_range')
    return undefined
  }
}

test('a page is what a list by hand gives, after whatever happened to the orders', async () => {
  const others = await makeFixture()
  const history = fc.array(steps, { minLength: 1, maxLength: 15 })
  const asked = fc.array(questions, { minLength: 20, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(history, asked, async (history, asked) => {
      const fixture = await makeFixture()
      for (const step of history) {
        await take(step, fixture)
        if (step.kind === 'insert') await take(step, others)
      }
      const ids = {
        orders: fixture.orders.map(({ id }) => id),
        users: fixture.environment.userIds,
        transactions: fixture.environment.transactionIds,
      }
      for (const question of asked) {
        const filter = filterOf(toQuery(question, ids))
        if (filter === undefined) continue
        const expected = listByHand(fixture.orders, filter, TODAY)
        await findEveryWay(fixture.environment.id, filter, expected)
        await countEveryWay(fixture.environment.id, filter, fixture.orders)
      }
    }),
    { numRuns: campaignRuns(15, 150), seed: 11 },
  )
})
