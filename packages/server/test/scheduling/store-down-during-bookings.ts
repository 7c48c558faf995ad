import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { RestartablePostgres } from '../restartable-postgres.ts'
import type { ServerProcess } from '../server-process.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import { bookAndMove, findSharedSlots, makeBookingClients, type Tally } from './booking-clients.ts'
import { assertBookingsHold, settleBookings } from './booking-invariants.ts'
import { seededNumbers } from './kill-during-bookings.ts'

const CLIENTS = 32

/**
 * Restarts PostgreSQL again and again while 32 clients book, move and cancel. The server stays,
 * says 503 meanwhile and nothing else that is not a refusal, and leaves nothing half written.
 */
export async function restartStoreDuringBookings(
  start: () => Promise<ServerProcess>,
  postgres: RestartablePostgres,
  { restarts, seed }: { restarts: number; seed: number },
): Promise<Tally> {
  const random = seededNumbers(seed)
  const tally: Tally = { acknowledged: 0, refused: new Map(), unavailable: 0 }
  const server = await start()
  const { baseUrl } = server
  try {
    const clients = await makeBookingClients(baseUrl, CLIENTS)
    const slots = await findSharedSlots(baseUrl)
    let isOver = false
    const options = { baseUrl, slots, random, tally, isOver: () => isOver }
    const work = Promise.all(clients.map((client) => bookAndMove(client, options)))
    for (let restart = 0; restart < restarts; restart += 1) {
      const { acknowledged } = tally
      await waitFor('bookings', () => tally.acknowledged > acknowledged + 20, 60)
      await sleep(random() * 200)
      await postgres.restart({ isOrderly: restart % 2 === 0, downMs: 200 + random() * 800 })
    }
    isOver = true
    await work
    assert.equal(server.child.exitCode ?? server.child.signalCode, null, server.output())
    assert.ok(tally.unavailable > 0)
    const pool = new pg.Pool({ connectionString: postgres.directUrl(), max: 2 })
    await settleBookings(pool)
    await assertBookingsHold(pool, baseUrl, clients)
    await pool.end()
    assert.equal(await server.end('SIGTERM'), 0)
  } finally {
    await server.end('SIGKILL')
  }
  return tally
}
