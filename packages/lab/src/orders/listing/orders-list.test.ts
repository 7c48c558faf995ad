import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { AppError } from '@salus/kernel/errors'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { createTestDatabase } from '../../../../server/test/database.ts'
import { listByHand } from '../../../../server/test/orders/list-oracle.ts'
import {
  insertOrders,
  insertUsers,
  type ListedOrder,
  makeEnvironment,
  updateOrder,
} from '../../../../server/test/orders/listed-orders.ts'
import {
  questions,
  type Step,
  steps,
  TRANSACTIONS,
  toQuery,
  USERS,
} from '../../../../server/test/orders/order-arbitraries.ts'
import { rowScope } from '../../../../server/test/scope.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { OrderFilter } from './orders-list.repository.ts'
import { findOrderPage } from './orders-list.repository.ts'
import type { OrderListQuery } from './orders-list.schema.ts'
import { toOrderFilter } from './orders-list.service.ts'

const TODAY = '2026-02-28'

const database = useFixture(createTestDatabase)

interface Fixture {
  environment: Awaited<ReturnType<typeof makeEnvironment>>
  orders: ListedOrder[]
}

/** Creates an empty environment, and another one with orders that its lists must not show. */
async function makeFixture(): Promise<Fixture> {
  const counts = { users: USERS, transactions: TRANSACTIONS }
  const environment = await makeEnvironment(database.pool, counts)
  return { environment, orders: [] }
}

/** Applies the step to the database and to the model. */
async function take(step: Step, { environment, orders }: Fixture): Promise<void> {
  const { pool } = database
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
  }
}

/** Returns undefined for a range that ends before it starts, which is refused. */
function filterOf(query: OrderListQuery): OrderFilter | undefined {
  try {
    return toOrderFilter(query)
  } catch (error) {
    assert.equal((error as AppError).errorType, 'invalid_date_range')
    return undefined
  }
}

test('a page equals that of a model after any changes of the orders', async () => {
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
        const scope = rowScope(database.db, fixture.environment)
        assert.deepEqual(await findOrderPage(scope, filter, TODAY), expected)
      }
    }),
    { numRuns: campaignRuns(15, 150), seed: 11 },
  )
})
