import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ServerProcess } from '../server-process.ts'
import {
  type BookingClient,
  bookAndMove,
  findSharedSlots,
  makeBookingClients,
  type Tally,
} from './booking-clients.ts'
import { assertBookingsHold, letHoldsEnd, settleBookings } from './booking-invariants.ts'

const CLIENTS = 32

/** Numbers from 0 to 1, the same for the same seed. */
export function seededNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * Kills the server again and again, at any moment, while 32 clients book, move and cancel on slots
 * that they share, and asserts after each restart that every seat has its appointment and every
 * answer was true.
 * @param start Starts the server on the same data, with its PostgreSQL at `databaseUrl`.
 */
export async function killDuringBookings(
  start: () => Promise<ServerProcess>,
  databaseUrl: string,
  { kills, seed }: { kills: number; seed: number },
): Promise<Tally & { attempts: number }> {
  const random = seededNumbers(seed)
  const tally: Tally = { acknowledged: 0, refused: new Map(), unavailable: 0 }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  let clients: BookingClient[] = []
  let attempts = 0
  let checked: ServerProcess | undefined
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const server = checked ?? (await start())
      checked = undefined
      if (clients.length === 0) clients = await makeBookingClients(server.baseUrl, CLIENTS)
      const before = tally.acknowledged
      const { baseUrl } = server
      const slots = await findSharedSlots(baseUrl)
      const work = Promise.all(
        clients.map((client) => bookAndMove(client, { baseUrl, slots, random, tally })),
      )
      // Also within the very first requests after a start.
      while (kill % 3 !== 0 && tally.acknowledged < before + 20) await sleep(1)
      await sleep(random() * 600)
      assert.equal(await server.end('SIGKILL'), 'SIGKILL')
      await work
      attempts += (await pool.query('select from booking_attempts')).rowCount ?? 0
      await letHoldsEnd(pool)
      if (kill % 2 === 0 && kill !== kills - 1) continue
      checked = await start()
      await settleBookings(pool)
      await assertBookingsHold(pool, checked.baseUrl, clients)
    }
    assert.equal(await checked?.end('SIGTERM'), 0)
  } finally {
    await checked?.end('SIGKILL')
    await pool.end()
  }
  return { ...tally, attempts }
}
