import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * All other addresses are special or not assigned; the library calls them unicast for lack of a
 * name.
 */
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** An old form (`::8.8.8.8`), which only this library treats as an IPv4-mapped address. */
const IPV4_COMPATIBLE = /^::\d+\./

/** Looks public, but belongs to the host below a virtual machine on Azure. */
const AZURE_HOST = '168.63.129.16'

/**
 * Whether an IP address belongs to the public internet, so that a stranger may make us connect to
 * it. An IPv4-mapped IPv6 address is judged by its IPv4 address.
 * @param address IP address in the usual notation, without brackets. Other spellings of IPv4
 *   (octal, short, one number), addresses with a zone and names are not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%') || IPV4_COMPATIBLE.test(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_UNICAST_IPV6)
  return parsed.toString() !== AZURE_HOST
}
