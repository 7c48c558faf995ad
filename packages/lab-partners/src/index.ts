import type {
  LabPartners,
  PartnerFailure,
  PartnersOfEnvironment,
} from '@salus/contracts/lab-partners'
import type { Clock } from '@salus/kernel/time/clock'
import { createGetlabsGateway } from './getlabs-gateway.ts'
import { createNppesRegistry } from './nppes-registry.ts'
import type { Send } from './partner-http.ts'
import type { LabPartnerSettings, PartnerSettings } from './partner-settings.ts'
import { createStediGateway } from './stedi-eligibility.ts'
import { createUspsTracker } from './usps-tracker.ts'

/** Clients of services around an order (docs/partners.md). */

export { createNppesRegistry } from './nppes-registry.ts'
export type { Send } from './partner-http.ts'
export {
  type LabPartnerSettings,
  type PartnerSettings,
  parseLabPartners,
} from './partner-settings.ts'

interface PartnerOptions {
  settings: LabPartnerSettings
  clock: Clock
  /** Called with failures that become the unavailability of a provider of appointments. */
  onFailure?: (failure: PartnerFailure) => void
  /** Sends requests to the configured partners. */
  send: Send
  /** The emulated partners that a sandbox uses for those that its settings do not name. */
  emulated: { settings: PartnerSettings; send: Send }
}

/** Creates the clients of all configured partners, and of the emulated ones for sandboxes. */
export function createLabPartners(options: PartnerOptions): LabPartners {
  const { production, sandbox } = options.settings
  return {
    production: openPartners(production, options),
    sandbox: openPartners(sandbox, options, true),
  }
}

function openPartners(
  given: PartnerSettings,
  { send, clock, emulated, onFailure = () => {} }: PartnerOptions,
  mayEmulate = false,
): PartnersOfEnvironment {
  /** Opens a client with the given settings, or else with those of the emulator. */
  const open = <Key extends keyof PartnerSettings, Client>(
    key: Key,
    create: (settings: NonNullable<PartnerSettings[Key]>, send: Send) => Client,
  ): Client | undefined => {
    const own = given[key]
    if (own) return create(own, send)
    const fallback = mayEmulate ? emulated.settings[key] : undefined
    return fallback && create(fallback, emulated.send)
  }
  const getlabs = open('getlabs', (own, to) => createGetlabsGateway(own, to, { clock, onFailure }))
  const usps = open('usps', (own, to) => createUspsTracker(own, to, { clock }))
  return {
    npiRegistry: open('nppes', createNppesRegistry),
    eligibility: open('stedi', createStediGateway),
    scheduling: [getlabs].filter((gateway) => gateway !== undefined),
    couriers: [usps].filter((tracker) => tracker !== undefined),
  }
}
