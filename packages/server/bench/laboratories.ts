import { join } from 'node:path'
import { openDatabase } from '@salus/kernel/postgres/database'
import type pg from 'pg'
import { benchBooking, type Rate } from './booking.ts'
import { benchDiagnosisSearch } from './diagnosis-search.ts'
import { benchFhirLists } from './fhir-lists.ts'
import { benchLabWire } from './lab-wire.ts'
import { benchMarkerSearch } from './marker-search.ts'
import { type Row, thousands, times } from './measure.ts'
import { benchOrders } from './orders.ts'
import { benchOrderList, MOST_MILLISECONDS } from './orders-list.ts'
import { startServer } from './server-process.ts'
import { benchServiceCenters } from './service-centers.ts'

/** Parts of the laboratory half, by the names under which they can be run alone. */
export const LABORATORY_PARTS = [
  'orders',
  'booking',
  'markers',
  'diagnoses',
  'order-list',
  'centers',
  'lab-wire',
  'fhir',
]

/**
 * Placing orders, booking, searching markers and diagnoses, the list of orders, service centers,
 * and messages of laboratories.
 */
export async function benchLaboratories(
  directory: string,
  pool: pg.Pool,
  databaseUrl: string,
  isWanted: (name: string) => boolean,
): Promise<Row[]> {
  const rows: Row[] = []
  if (isWanted('orders')) await addOrders(rows, directory, pool, databaseUrl)
  if (isWanted('booking')) await addBooking(rows, directory, pool, databaseUrl)
  if (isWanted('markers')) await addMarkerSearch(rows, directory, databaseUrl)
  if (isWanted('diagnoses')) rows.push(...(await benchDiagnosisSearch(directory, databaseUrl)))
  if (isWanted('order-list')) await addOrderList(rows, databaseUrl)
  if (isWanted('centers')) rows.push(...(await benchServiceCenters(directory, pool, databaseUrl)))
  if (isWanted('lab-wire')) rows.push(...(await benchLabWire(directory, pool, databaseUrl)))
  if (isWanted('fhir')) rows.push(...(await benchFhirLists(databaseUrl)))
  return rows
}

/** On a server with a database that the bare inserts can reach too. */
async function addOrders(rows: Row[], directory: string, pool: pg.Pool, databaseUrl: string) {
  await pool.query('create database orders')
  const url = new URL(databaseUrl)
  url.pathname = '/orders'
  const server = await startServer(join(directory, 'orders'), { DATABASE_URL: url.href })
  const bare = openDatabase({ url: url.href, poolSize: 16 })
  try {
    for (const clients of [1, 16]) {
      const rate = await benchOrders(server, bare.pool, clients)
      rows.push({
        job: `orders placed, ${clients === 1 ? '1 client' : `${clients} clients`}`,
        salus: `${thousands(rate.http)}/s`,
        comparedWith: 'bare INSERT of the same rows, one transaction an order',
        other: `${thousands(rate.bare)}/s`,
        ratio: times(rate.http / rate.bare),
        goal: '≥ 0.2',
        isMet: rate.http / rate.bare >= 0.2,
      })
    }
  } finally {
    await bare.close()
    await server.stop()
  }
}

async function addBooking(rows: Row[], directory: string, pool: pg.Pool, databaseUrl: string) {
  await pool.query('create database booking')
  const url = new URL(databaseUrl)
  url.pathname = '/booking'
  const server = await startServer(join(directory, 'booking'), { DATABASE_URL: url.href })
  const bare = openDatabase({ url: url.href, poolSize: 16 })
  try {
    const rates = await benchBooking(server, bare.pool)
    const show = ({ perSecond, p50, p95 }: Rate) =>
      `${thousands(perSecond)}/s, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`
    rows.push({
      job: 'bookings of shared slots, 32 clients',
      salus: show(rates.http),
      comparedWith: 'bare transaction: a row, a counter, an event',
      other: show(rates.bare),
      ratio: times(rates.http.perSecond / rates.bare.perSecond),
      goal: '',
      isMet: null,
    })
  } finally {
    await bare.close()
    await server.stop()
  }
}

const MARKER_GOALS = { usual: 60, mistyped: 60, broad: null, all: null } as const

async function addMarkerSearch(rows: Row[], directory: string, databaseUrl: string) {
  const { sql, http } = await benchMarkerSearch(directory, databaseUrl)
  for (const [kind, goal] of Object.entries(MARKER_GOALS)) {
    const [inSql, overHttp] = [sql, http].map((times) => times[kind as keyof typeof MARKER_GOALS])
    if (inSql === undefined || overHttp === undefined) continue
    rows.push({
      job: `search 100,000 markers, ${kind} words, p95`,
      salus: `${overHttp.p95.toFixed(1)} ms (p50 ${overHttp.p50.toFixed(1)})`,
      comparedWith: 'its queries alone',
      other: `${inSql.p95.toFixed(1)} ms (p50 ${inSql.p50.toFixed(1)})`,
      ratio: times(overHttp.p50 / inSql.p50),
      goal: goal === null ? '' : `< ${goal} ms`,
      isMet: goal === null ? null : overHttp.p95 < goal,
    })
  }
}

/** The slowest of all filters, pairs and sorts; each is a line of its own above the table. */
async function addOrderList(rows: Row[], databaseUrl: string) {
  const { pages: results, writes } = await benchOrderList(databaseUrl)
  for (const { name, total, page, p50, p95 } of results) {
    const slow = p95 >= MOST_MILLISECONDS ? '  OVER' : ''
    const figures = `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} ms`
    console.log(`${name}, page ${page} of ${thousands(total)}: ${figures}${slow}`)
  }
  const slowest = results.toSorted((a, b) => b.p95 - a.p95)[0]
  if (slowest === undefined) return
  const met = results.filter(({ p95 }) => p95 < MOST_MILLISECONDS).length
  rows.push({
    job: `list of 1,000,000 orders, ${results.length} filters and pages, slowest p95`,
    salus: `${slowest.p95.toFixed(1)} ms (${slowest.name})`,
    comparedWith: '',
    other: '',
    ratio: '',
    goal: `< ${MOST_MILLISECONDS} ms each: ${met} of ${results.length}`,
    isMet: met === results.length,
  })
  const { listed, bare } = writes
  const micro = (value: number): string => `${thousands(value)} µs`
  rows.push({
    job: 'what the list adds to storing an order (and to a new status)',
    salus: `${micro(listed.insertMicroseconds)} (${micro(listed.statusMicroseconds)})`,
    comparedWith: 'without its indexes',
    other: `${micro(bare.insertMicroseconds)} (${micro(bare.statusMicroseconds)})`,
    ratio: times(listed.insertMicroseconds / bare.insertMicroseconds),
    goal: '',
    isMet: null,
  })
}
