import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { RateLimitError } from '../errors.ts'
import type { Clock } from '../time/clock.ts'

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

/** An IPv4 address; of an IPv6 address the first 64 bits, which one client has as a whole. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return (address as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
