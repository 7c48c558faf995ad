import type { Connector } from './connector.ts'

type Auth = Connector['auth']

/** Returns the vendor's names of its regions, which a user chooses from; none where it has one. */
export function regionNames(auth: Auth): string[] {
  if (auth.kind === 'email' || auth.regions === undefined) return []
  return isList(auth.regions) ? [...auth.regions] : Object.keys(auth.regions)
}

/** Returns the hosts that differ in a region; undefined where none is known before the sign-in. */
export function regionHosts(
  auth: Auth,
  region: string,
): Readonly<Record<string, string>> | undefined {
  if (auth.kind === 'email' || auth.regions === undefined || isList(auth.regions)) return undefined
  return Object.hasOwn(auth.regions, region) ? auth.regions[region] : undefined
}

const isList = (regions: object): regions is readonly string[] => Array.isArray(regions)
