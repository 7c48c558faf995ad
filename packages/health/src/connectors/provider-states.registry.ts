import { findProvider } from '@salus/contracts/providers'
import type { Connector, Verification } from './connector.ts'

/** How far Salus can connect a provider: how far its connector was verified, or why it has none. */
export type ProviderState =
  | Verification
  | 'closed'
  | 'no_public_facts'
  | 'not_supported'
  | 'uploads'

/** Meanings of the states, for documents and tables. */
export const PROVIDER_STATES: Readonly<Record<ProviderState, string>> = {
  vendor: 'verified against the vendor itself',
  recorded_payloads: 'verified against recorded payloads of the vendor',
  documented_schema: "verified against the vendor's published schema only",
  emulator_only: 'verified against the emulator of sandboxes only',
  closed: 'the vendor gives no access to new apps',
  no_public_facts: 'too little is public to build a connector',
  not_supported: 'Salus has no connector yet',
  uploads: 'clients send the data',
}

type WithoutConnector = Extract<ProviderState, 'closed' | 'no_public_facts' | 'not_supported'>

const later = (reason: string) => ({ state: 'not_supported', reason }) as const
const unknown = (reason: string) => ({ state: 'no_public_facts', reason }) as const
const closed = (reason: string) => ({ state: 'closed', reason }) as const

/**
 * Cloud providers without a connector, each with the reason. One that is missing here and has no
 * connector is not supported yet.
 */
export const WITHOUT_CONNECTOR: Readonly<
  Record<string, { readonly state: WithoutConnector; readonly reason: string }>
> = {
  google_fit: closed(
    'Google has admitted no new apps to the Google Fit API since May 2024, and ends it in 2026. google_health and health_connect replace it.',
  ),
  runkeeper: closed('Runkeeper admits no new apps: its Health Graph API has ended.'),
  my_fitness_pal_v2: closed('MyFitnessPal accepts no requests for access to its API.'),
  omron: unknown(
    'Omron gives its addresses and its documentation only to partners. omron_ble takes data of its meters.',
  ),
  cronometer: unknown(
    'Cronometer gives access by agreement only, and documents neither its limits nor its messages in public.',
  ),
  map_my_fitness: unknown(
    'MapMyFitness has no open registration of apps, and its documentation is no longer public.',
  ),
}

/** What an operator, a team or a user must know before they choose a provider. */
export interface ProviderStatus {
  readonly state: ProviderState
  /** Why users cannot be connected in production; null where they can. */
  readonly reason: string | null
}

const NOT_YET = later('Salus has no connector for this provider yet.')

/** @param connector That of the provider; undefined where there is none. */
export function statusOf(slug: string, connector: Connector | undefined): ProviderStatus {
  if (findProvider(slug)?.authType === 'sdk') return { state: 'uploads', reason: null }
  if (connector === undefined) return WITHOUT_CONNECTOR[slug] ?? NOT_YET
  const { verification, sandboxOnly = null } = connector.guide
  return { state: verification, reason: sandboxOnly }
}

/**
 * Returns why users cannot be connected to a provider in an environment; undefined where they can.
 * A sandbox has an emulator for each connector.
 */
export function refusalOf(
  slug: string,
  connector: Connector | undefined,
  { kind }: { kind: 'production' | 'sandbox' },
): string | undefined {
  if (kind === 'sandbox' && connector !== undefined) return undefined
  return statusOf(slug, connector).reason ?? undefined
}
