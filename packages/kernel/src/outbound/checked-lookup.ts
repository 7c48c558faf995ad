import type { LookupAddress, LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { ConnectFailure } from './connect-failure.ts'
import { isPublicAddress } from './public-address.ts'

/** `dns.lookup`, or a replacement for it, which returns all addresses of a name. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Creates the `lookup` of a socket, which connects to exactly the addresses that this returns, so a
 * name server that answers differently the next time changes nothing. A name with any address that
 * is not public fails as a whole with ConnectFailure `refused_address`, unless `allowPrivate`; a
 * name without addresses fails with ConnectFailure `dns`.
 */
export function createCheckedLookup(lookup: Lookup, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const first = error ? undefined : addresses[0]
      if (first === undefined) return callback(new ConnectFailure('dns'), [])
      if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new ConnectFailure('refused_address'), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
