import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import type { Database } from '@salus/kernel/postgres/database'
import { Kysely, PostgresDialect } from 'kysely'
import { createTestDatabase } from '../../../../server/test/database.ts'
import { listByHand } from '../../../../server/test/orders/list-oracle.ts'
import {
  insertOrders,
  type ListedOrder,
  makeEnvironment,
} from '../../../../server/test/orders/listed-orders.ts'
import { rowScope } from '../../../../server/test/scope.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { findOrderPage } from './orders-list.repository.ts'
import { ORDER_KEYS, type OrderListQuery } from './orders-list.schema.ts'
import { toOrderFilter } from './orders-list.service.ts'

const ORDERS = 50_000
const TODAY = '2026-03-01'

const database = useFixture(createTestDatabase)
let environment: Awaited<ReturnType<typeof makeEnvironment>>
let orders: ListedOrder[]
before(async () => {
  environment = await makeEnvironment(database.pool, { users: 500, transactions: 5000 })
  orders = Array.from({ length: ORDERS }, (_, number) => makeOrder(number))
  for (let first = 0; first < ORDERS; first += 10_000) {
    await insertOrders(database.pool, environment.id, orders.slice(first, first + 10_000))
  }
  await database.pool.query('vacuum analyze orders')
})

const FIRST = ['mary', 'james', 'linda', 'robert', 'ann', 'mark', 'zoë']
const LAST = ['smith', 'johnson', 'martinez', 'garcia', 'miller', 'davis', 'o’brien', 'lee', 'kim']

function makeOrder(number: number): ListedOrder {
  const createdAt = Date.parse('2026-02-28T23:00:00Z') - ((number * 7919) % ORDERS) * 600_000
  const name = `${FIRST[number % FIRST.length]} ${LAST[number % LAST.length]}${number % 100}`
  const isOpen = number % 20 === 0
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    user_id: environment.userIds[number % environment.userIds.length] ?? '',
    transaction_id: environment.transactionIds[number % environment.transactionIds.length] ?? '',
    method: number % 3 === 0 ? 'testkit' : 'walk_in_test',
    last_status: isOpen ? 'ordered' : number % 500 === 1 ? 'lost' : 'completed',
    interpretation: isOpen ? null : number % 50 === 3 ? 'critical' : 'normal',
    activate_by: number % 400 === 0 ? '2026-04-01' : null,
    patient_name: name,
    patient_dob: new Date(Date.parse('1950-01-01') + (number % 9000) * DAY_MS)
      .toISOString()
      .slice(0, 10),
    shipping_recipient_name: number % 10 === 0 ? 'the family' : name,
    created_at: new Date(createdAt),
    updated_at: new Date(createdAt + (number % 9) * DAY_MS),
  }
}

/** Returns the plans of the statements for a page. */
async function explain(query: Partial<OrderListQuery>): Promise<string[]> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const dialect = new PostgresDialect({ pool: database.pool })
  const db = new Kysely<Database>({ dialect, log: (event) => void statements.push(event.query) })
  const filter = toOrderFilter({ page: 1, size: 50, ...query })
  await findOrderPage(rowScope(db, environment), filter, TODAY)
  const plans: string[] = []
  for (const { sql, parameters } of statements) {
    const { rows } = await database.pool.query(`explain ${sql}`, [...parameters])
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
  }
  return plans
}

/** Each filter matches a few orders of many. */
const FILTERS: Partial<OrderListQuery>[] = [
  { search_input: '00000000-0000-4000-8000-000000000007' },
  { search_input: '1950-03-01' },
  { search_input: 'smith11' },
  { patient_name: 'linda garcia' },
  { start_date: '2026-02-27' },
  { updated_start_date: '2026-02-27T12:00:00Z', end_date: '2026-02-20' },
  { status: ['lost'] },
  { status: ['lost'], patient_name: 'm' },
  { order_activation_types: ['scheduled'] },
  { order_ids: ['00000000-0000-4000-8000-000000000007'] },
]

for (const order_key of ORDER_KEYS) {
  test(`a selective filter does not scan a table, sorted by ${order_key}`, async () => {
    const { userIds, transactionIds } = environment
    const people = [
      { user_id: userIds[3] ?? '' },
      { search_input: userIds[3] ?? '' },
      { order_transaction_id: transactionIds[3] ?? '' },
    ]
    for (const query of [...FILTERS, ...people]) {
      const plans = await explain({ ...query, order_key })
      assert.ok(plans.length > 0)
      for (const plan of plans) {
        assert.doesNotMatch(plan, /Seq Scan/, `${JSON.stringify(query)}\n${plan}`)
      }
    }
  })
}

test('totals are exact, except from 10,000 on for names searched by one or two letters, and every page can be read', async () => {
  const cases: [Partial<OrderListQuery>, total: number | 'exact'][] = [
    [{}, 'exact'],
    [{ status: ['completed'], page: 251 }, 'exact'],
    [{ page: 1000 }, 'exact'],
    [{ patient_name: 'a' }, 10_000],
    [{ patient_name: 'a', page: 200 }, 10_001],
    [{ search_input: 'ar', order_key: 'patient_name', order_direction: 'asc', page: 3 }, 10_000],
    [{ patient_name: 'a', order_key: 'last_status', page: 300 }, 15_001],
    [{ patient_name: 'ë', status: ['ordered'] }, 'exact'],
    [{ patient_name: 'a', shipping_recipient_name: 'family' }, 'exact'],
    [{ patient_name: 'mar' }, 'exact'],
  ]
  const scope = rowScope(database.db, environment)
  for (const [query, total] of cases) {
    const filter = toOrderFilter({ page: 1, size: 50, ...query })
    const expected = listByHand(orders, filter, TODAY)
    const page = await findOrderPage(scope, filter, TODAY)
    assert.deepEqual(page, expected, JSON.stringify(query))
    assert.equal(page.ids.length, 50)
    assert.equal(page.isCapped, total !== 'exact', JSON.stringify(query))
    if (total !== 'exact') assert.equal(page.total, total)
  }
})

test('paging by the total of each response reaches the last order', async () => {
  const scope = rowScope(database.db, environment)
  const seen = new Set<string>()
  for (let page = 1, isEnd = false; !isEnd; page += 1) {
    const query: OrderListQuery = { page, size: 100, patient_name: 'e' }
    const { ids, total } = await findOrderPage(scope, toOrderFilter(query), TODAY)
    for (const id of ids) seen.add(id)
    isEnd = page * query.size >= total
  }
  const named = orders.filter(({ patient_name }) => patient_name.toLowerCase().includes('e'))
  assert.ok(named.length > 10_000, `${named.length}`)
  assert.equal(seen.size, named.length)
})
