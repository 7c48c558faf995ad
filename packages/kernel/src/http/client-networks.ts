import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * Returns an IPv4 address, or the first 64 bits of an IPv6 address, which one client has as a
 * whole.
 */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return address.toString()
  return (address as ipaddr.IPv6).parts.slice(0, 4).join(':')
}

/**
 * Returns a function that checks whether an address is in a list of addresses and networks, such as
 * `10.0.0.0/8`.
 */
export function isAmong(list: readonly string[]): (ip: string) => boolean {
  const ranges = list.map((entry) => {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry)
    const address = ipaddr.process(entry)
    return [address, address.kind() === 'ipv4' ? 32 : 128] as [ipaddr.IPv4 | ipaddr.IPv6, number]
  })
  return (ip) => {
    if (!ipaddr.isValid(ip)) return false
    const address = ipaddr.process(ip)
    return ranges.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  }
}

/** Whether an address is of the machine itself. */
export function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback'
}

/**
 * Whether the request came through a proxy that SALUS_TRUSTED_PROXIES does not name: `request.ip`
 * is the address of that proxy then, and does not identify the client.
 */
export function isForwardedByStranger(request: FastifyRequest): boolean {
  const { headers, socket } = request
  const isForwarded = 'x-forwarded-for' in headers || 'forwarded' in headers
  return isForwarded && request.ip === socket.remoteAddress
}
