import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { resolveConnection } from '../src/hl7/connection/resolve-connection.ts'
import type { ResolvedConnection } from '../src/hl7/connection/resolved-connection.ts'

/** Configuration of a connection to a laboratory in Arizona, where clocks do not change. */
export function configOf(
  profile: LabConnectionConfig['profile'],
  given: Partial<LabConnectionConfig> = {},
): LabConnectionConfig {
  return {
    connection: 'acme-main',
    lab: 'acme',
    profile,
    time_zone: 'America/Phoenix',
    ...given,
  }
}

/** Rules of a connection in production. */
export function rulesOf(
  profile: LabConnectionConfig['profile'],
  given: Partial<LabConnectionConfig> = {},
): ResolvedConnection {
  return resolveConnection(configOf(profile, given), 'production')
}
