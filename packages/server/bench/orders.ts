import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { type Client, createClient } from './client.ts'
import { median, secondsOf } from './measure.ts'
import type { ServerProcess } from './server-process.ts'

/** Orders that each client places in a round. */
const ORDERS_OF_A_CLIENT = 60
const ROUNDS = 5

export const PATIENT = {
  patient_details: {
    first_name: 'Ada',
    last_name: 'Moreau',
    dob: '1990-04-12',
    gender: 'female',
    phone_number: '+15550100000',
    email: 'ada.moreau@example.com',
  },
  patient_address: {
    receiver_name: 'Ada Moreau',
    first_line: '1 Main St',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
  },
}

export interface OrderRates {
  clients: number
  /** Orders a second. */
  http: number
  bare: number
}

/**
 * Orders a second over HTTP, beside a plain INSERT of the rows that one order leaves behind: its
 * transaction, itself, its event, the message and the outbox, and the job. Rounds take turns.
 */
export async function benchOrders(
  server: ServerProcess,
  pool: pg.Pool,
  clients: number,
): Promise<OrderRates> {
  const client = createClient(server, clients)
  const order = await prepareOrder(client)
  const place = () => client.call('POST', '/v3/order', order)
  const placed = JSON.parse(await place()).order
  const rows = await readRows(pool, placed.id, placed.order_transaction.id)
  const http: number[] = []
  const bare: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const seconds = {
      http: await secondsOf(() => repeat(clients, place)),
      bare: await secondsOf(() => repeat(clients, () => insertRows(pool, rows))),
    }
    // The first round warms both up.
    if (round === 0) continue
    http.push((clients * ORDERS_OF_A_CLIENT) / seconds.http)
    bare.push((clients * ORDERS_OF_A_CLIENT) / seconds.bare)
  }
  await client.close()
  return { clients, http: median(http), bare: median(bare) }
}

async function repeat(clients: number, work: () => Promise<unknown>): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let count = 0; count < ORDERS_OF_A_CLIENT; count++) await work()
    }),
  )
}

async function prepareOrder(client: Client): Promise<string> {
  const userId = await client.makeUser()
  const tests = JSON.parse(await client.call('GET', '/v3/lab_test?collection_method=walk_in_test'))
  const order = { user_id: userId, order_set: { lab_test_ids: [tests.data[0].id] }, ...PATIENT }
  return JSON.stringify(order)
}

/** A row as its columns and their values. */
interface StoredRow {
  table: string
  columns: string[]
  values: unknown[]
}

/** Columns that PostgreSQL fills, and that must be new in each copy. */
const GENERATED = new Set(['sequence', 'transaction_id_xid'])

async function readRows(
  pool: pg.Pool,
  orderId: string,
  transactionId: string,
): Promise<StoredRow[]> {
  const read = async (table: string, condition: string, value: string, skip: string[] = []) => {
    const { rows } = await pool.query(`select * from ${table} where ${condition} limit 1`, [value])
    const entries = Object.entries(rows[0] ?? {}).filter(
      ([name]) => !GENERATED.has(name) && !skip.includes(name),
    )
    const columns = entries.map(([name]) => name)
    const values = entries.map(([, value]) =>
      value !== null && typeof value === 'object' && value.constructor === Object
        ? JSON.stringify(value)
        : value,
    )
    return { table, columns, values }
  }
  const order = await read('orders', 'id = $1', orderId)
  // Lists are JSON in these columns, and arrays of PostgreSQL elsewhere.
  for (const name of ['consents', 'aoe_answers']) {
    const index = order.columns.indexOf(name)
    order.values[index] = JSON.stringify(order.values[index])
  }
  return [
    await read('order_transactions', 'id = $1', transactionId),
    order,
    await read('order_events', 'order_id = $1', orderId, ['id']),
    await read('events', "event_type = 'labtest.order.created' and user_id = $1", await userOf(), [
      'transaction_id',
    ]),
  ]

  async function userOf(): Promise<string> {
    const { rows } = await pool.query('select user_id from orders where id = $1', [orderId])
    return rows[0].user_id
  }
}

const COPY_JOB = "select graphile_worker.add_job('bench_nothing', '{}'::json)"

/** One transaction with the rows of an order, under new ids. */
async function insertRows(pool: pg.Pool, rows: readonly StoredRow[]): Promise<void> {
  const ids = { order: randomUUID(), transaction: randomUUID(), event: `msg_${randomUUID()}` }
  const connection = await pool.connect()
  try {
    await connection.query('begin')
    for (const { table, columns, values } of rows) {
      const own = values.map((value, index) => ownValue(table, columns[index] ?? '', value, ids))
      const placeholders = own.map((_, index) => `$${index + 1}`).join(', ')
      await connection.query({
        name: `bench_${table}`,
        text: `insert into ${table} (${columns.join(', ')}) values (${placeholders})`,
        values: own,
      })
    }
    await connection.query({
      name: 'bench_waiting',
      text: `insert into waiting_events (sequence, environment_id, event_id)
        select sequence, environment_id, id from events where environment_id = $1 and id = $2`,
      values: [rows[0]?.values[rows[0].columns.indexOf('environment_id')], ids.event],
    })
    await connection.query({ name: 'bench_job', text: COPY_JOB })
    await connection.query('commit')
  } finally {
    connection.release()
  }
}

function ownValue(
  table: string,
  column: string,
  value: unknown,
  ids: { order: string; transaction: string; event: string },
): unknown {
  if (column === 'transaction_id') return ids.transaction
  if (column === 'order_id') return ids.order
  if (column !== 'id') return value
  if (table === 'order_transactions') return ids.transaction
  return table === 'orders' ? ids.order : ids.event
}
