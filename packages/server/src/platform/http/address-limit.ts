import type { FastifyRequest } from 'fastify'
import { RateLimitError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import { networkOf } from './client-networks.ts'

const MINUTE_MS = 60_000
/** Addresses counted in a minute; beyond them nobody is, so that a flood takes no memory. */
const MOST_ADDRESSES = 100_000

/**
 * An onRequest hook that lets through so many requests of one client address a minute, and refuses the others
 * with 429. Each process counts for itself, in memory, so that a flood reaches no database.
 */
export function limitByAddress({ clock, perMinute }: { clock: Clock; perMinute: number }) {
  let minute = 0
  let counts = new Map<string, number>()
  return async (request: FastifyRequest): Promise<void> => {
    const now = clock.now()
    const present = Math.floor(now.getTime() / MINUTE_MS)
    if (present !== minute) {
      minute = present
      counts = new Map()
    }
    const address = networkOf(request.ip)
    const count = (counts.get(address) ?? 0) + 1
    if (count > 1 || counts.size < MOST_ADDRESSES) counts.set(address, count)
    if (count > perMinute) throw new RateLimitError(now)
  }
}
