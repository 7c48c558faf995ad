import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Kysely, PostgresDialect } from 'kysely'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import {
  insertOrders,
  type ListedOrder,
  makeEnvironment,
} from '../../../../test/orders/listed-orders.ts'
import type { Database } from '../../../platform/postgres/database.ts'
import { foldOrderCounts } from './fold-order-counts.repository.ts'
import { toOrderFilter } from './orders-list.filter.ts'
import { findOrderPage } from './orders-list.repository.ts'
import { ORDER_KEYS, type OrderListQuery } from './orders-list.schema.ts'

const ORDERS = 50_000
const TODAY = '2026-03-01'
const DAY_MS = 86_400_000

let database: TestDatabase
let environment: Awaited<ReturnType<typeof makeEnvironment>>
before(async () => {
  database = await createTestDatabase()
  environment = await makeEnvironment(database.pool, { users: 500, transactions: 5000 })
  for (let first = 0; first < ORDERS; first += 10_000) {
    const orders = Array.from({ length: 10_000 }, (_, index) => makeOrder(first + index))
    await insertOrders(database.pool, environment.id, orders)
  }
  await foldOrderCounts(database.db)
})
after(() => database.close())

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

/** Plans of all statements that look into tables, in the transaction that asks for them. */
async function explain(query: Partial<OrderListQuery>): Promise<string[]> {
  const statements: { sql: string; parameters: readonly unknown[] }[] = []
  const dialect = new PostgresDialect({ pool: database.pool })
  const db = new Kysely<Database>({ dialect, log: (event) => void statements.push(event.query) })
  const filter = toOrderFilter({ page: 1, size: 50, ...query })
  await findOrderPage(db, environment.id, filter, { today: TODAY })
  const client = await database.pool.connect()
  await client.query('begin')
  const plans: string[] = []
  for (const { sql, parameters } of statements) {
    if (sql.includes('set_config')) await client.query(sql, [...parameters])
    else if (/^\s*(select|with)/.test(sql)) {
      const { rows } = await client.query(`explain ${sql}`, [...parameters])
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
  }
  await client.query('rollback')
  client.release()
  return plans
}

const FILTERS: Partial<OrderListQuery>[] = [
  {},
  { search_input: '00000000-0000-4000-8000-000000000007' },
  { search_input: '1950-03-01' },
  { search_input: 'smith1' },
  { search_input: 'a' },
  { start_date: '2026-02-01' },
  { end_date: '2025-12-01T08:00:00Z' },
  { updated_start_date: '2026-02-01' },
  { updated_end_date: '2025-12-01' },
  { status: ['lost'] },
  { status: ['ordered', 'completed'] },
  { order_type: ['testkit'] },
  { is_critical: true },
  { is_critical: false },
  { interpretation: 'normal' },
  { order_activation_types: ['current'] },
  { order_activation_types: ['scheduled'] },
  { patient_name: 'garcia' },
  { patient_name: 'ë' },
  { shipping_recipient_name: 'family' },
  { order_ids: ['00000000-0000-4000-8000-000000000007'] },
  { status: ['completed'], patient_name: 'm' },
  { start_date: '2025-06-01', updated_start_date: '2025-06-02' },
]

for (const order_key of ORDER_KEYS) {
  test(`no filter reads the table of orders from end to end, sorted by ${order_key}`, async () => {
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
