import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@salus/contracts/time-units'
import type pg from 'pg'
import { type Client, createClient } from './client.ts'
import { median, percentile } from './measure.ts'
import { PATIENT } from './orders.ts'
import type { ServerProcess } from './server-process.ts'

const CLIENTS = 32
const BOOKINGS_OF_A_CLIENT = 12
const ROUNDS = 4
const BOOKINGS = CLIENTS * BOOKINGS_OF_A_CLIENT
/** Sites of quest; a request can name three. */
const SITES = ['SAMPLE-12', 'SAMPLE-4001', 'SAMPLE-4002', 'SAMPLE-4003']

export interface Rate {
  perSecond: number
  p50: number
  p95: number
}

/**
 * Bookings a second through HTTP: 32 clients, each with orders of its own, take the seats of the
 * same slots, up to three of one slot at the same moment. Beside it, in turns, what the least of it
 * would cost PostgreSQL: one transaction that inserts a booking, counts a seat that is free, and
 * writes an event.
 */
export async function benchBooking(
  server: ServerProcess,
  pool: pg.Pool,
): Promise<{ http: Rate; bare: Rate }> {
  const client = createClient(server, CLIENTS)
  await pool.query(BARE_TABLES)
  const http: Measured[] = []
  const bare: Measured[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const orders = await placeOrders(client)
    const seats = await findSeats(client, round)
    const book = () => {
      const [order, key] = [orders.pop(), seats.pop()]
      const path = `/v3/order/${order}/psc/appointment/book`
      return client.call('POST', path, JSON.stringify({ booking_key: key }))
    }
    const measured = { http: await measure(book), bare: await measure(() => bookBare(pool)) }
    // The first round warms both up.
    if (round === 0) continue
    http.push(measured.http)
    bare.push(measured.bare)
  }
  await client.close()
  return { http: rateOf(http), bare: rateOf(bare) }
}

interface Measured {
  seconds: number
  milliseconds: number[]
}

async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const milliseconds: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let count = 0; count < BOOKINGS_OF_A_CLIENT; count += 1) {
        const begunAt = performance.now()
        await work()
        milliseconds.push(performance.now() - begunAt)
      }
    }),
  )
  return { seconds: (performance.now() - startedAt) / 1000, milliseconds }
}

function rateOf(rounds: readonly Measured[]): Rate {
  const all = rounds.flatMap(({ milliseconds }) => milliseconds)
  return {
    perSecond: median(rounds.map(({ seconds }) => BOOKINGS / seconds)),
    p50: median(all),
    p95: percentile(all, 0.95),
  }
}

/** Orders of a walk-in test with their requisitions. */
async function placeOrders(client: Client): Promise<string[]> {
  const userId = await client.makeUser()
  const { data } = JSON.parse(
    await client.call('GET', '/v3/lab_test?collection_method=walk_in_test&lab_test_limit=100'),
  )
  const test = data.find(({ lab }: { lab?: { slug: string } }) => lab?.slug === 'quest')
  const order = JSON.stringify({
    user_id: userId,
    order_set: { lab_test_ids: [test.id] },
    ...PATIENT,
  })
  const ids: string[] = []
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let count = 0; count < BOOKINGS_OF_A_CLIENT; count += 1) {
        const { id } = JSON.parse(await client.call('POST', '/v3/order', order)).order
        const status = 'received.walk_in_test.requisition_created'
        await client.call('POST', `/v3/order/${id}/test?final_status=${status}`)
        ids.push(id)
      }
    }),
  )
  return ids
}

/** A key for each free seat, those of a slot one after the other. */
async function findSeats(client: Client, round: number): Promise<string[]> {
  const site = SITES[round % SITES.length]
  const keys: string[] = []
  for (let weeks = 0; keys.length < BOOKINGS; weeks += 2) {
    const date = new Date(Date.now() + (1 + weeks * 7) * DAY_MS).toISOString().slice(0, 10)
    const query = `lab=quest&site_codes=${site}&start_date=${date}`
    const { slots: days } = JSON.parse(
      await client.call('POST', `/v3/order/psc/appointment/availability?${query}`),
    )
    for (const { slots } of days) {
      for (const { booking_key: key, num_appointments_available: free } of slots) {
        if (key !== null) keys.push(...Array<string>(free).fill(key))
      }
    }
  }
  return keys
}

const BARE_SLOTS = 200
const BARE_TABLES = `
  create table bench_slots (id int primary key, capacity int not null, taken int not null);
  insert into bench_slots select number, 1000000, 0 from generate_series(1, ${BARE_SLOTS}) number;
  create table bench_bookings (id uuid primary key, slot_id int not null, at timestamptz not null);
  create table bench_events (id bigint generated always as identity primary key, booking_id uuid not null, body jsonb not null)`

let bareSlot = 0

async function bookBare(pool: pg.Pool): Promise<void> {
  const id = randomUUID()
  bareSlot += 1
  // Up to three at once want the same slot, as above.
  const slot = 1 + (Math.floor(bareSlot / 2) % BARE_SLOTS)
  const connection = await pool.connect()
  const run = (name: string, text: string, values: unknown[] = []) =>
    connection.query({ name, text, values })
  try {
    await connection.query('begin')
    await run('bench_book', 'insert into bench_bookings values ($1, $2, now())', [id, slot])
    const count = 'update bench_slots set taken = taken + 1 where id = $1 and taken < capacity'
    await run('bench_count', count, [slot])
    const event = 'insert into bench_events (booking_id, body) values ($1, $2)'
    await run('bench_event', event, [id, JSON.stringify({ id, status: 'confirmed' })])
    await connection.query('commit')
  } finally {
    connection.release()
  }
}
