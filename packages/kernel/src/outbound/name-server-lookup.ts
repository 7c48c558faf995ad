import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { Lookup } from './checked-lookup.ts'

/** Each name server gets at most two requests. */
const RESOLVER_OPTIONS = { timeout: 2_500, tries: 2 }

/** Names that are not sent to a name server (RFC 6761). */
const LOOPBACK_NAME = /(^|\.)localhost\.?$/i
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Queries the name servers directly. The usual lookup waits on one of the few threads of the
 * process, and a handful of customers whose name servers do not answer would block everyone's
 * lookups and files.
 * @param knowsLocalNames Whether names that the name servers do not find are looked up on this
 *   machine (/etc/hosts).
 */
export function createNameServerLookup(knowsLocalNames: boolean): Lookup {
  const resolver = new Resolver(RESOLVER_OPTIONS)
  return (hostname, options, callback) => {
    if (LOOPBACK_NAME.test(hostname)) {
      process.nextTick(callback, null, LOOPBACK)
      return
    }
    resolveAll(resolver, hostname).then(
      (addresses) => callback(null, addresses),
      (error: Error) => {
        if (knowsLocalNames) systemLookup(hostname, options, callback)
        else callback(error, [])
      },
    )
  }
}

/** Resolves both kinds of addresses, IPv6 first; one kind is enough. */
async function resolveAll(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const [six, four] = await Promise.allSettled([
    resolver.resolve6(hostname),
    resolver.resolve4(hostname),
  ])
  const addresses = [
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
  ]
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason
  return addresses
}
