import type { LabPartners, PartnersOfEnvironment } from '@salus/contracts/lab-partners'
import { createNppesRegistry } from './nppes-registry.ts'
import type { Send } from './partner-http.ts'
import type { LabPartnerSettings, PartnerSettings } from './partner-settings.ts'
import { createStediGateway } from './stedi-eligibility.ts'

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
  /** Sends requests to the configured partners. */
  send: Send
  /** The emulated partners that a sandbox uses for those that its settings do not name. */
  emulated: { settings: PartnerSettings; send: Send }
}

/** Creates the clients of all configured partners, and of the emulated ones for sandboxes. */
export function createLabPartners({ settings, send, emulated }: PartnerOptions): LabPartners {
  const open = (given: PartnerSettings, fallback?: PartnerOptions['emulated']) =>
    openPartners(given, send, fallback)
  return { production: open(settings.production), sandbox: open(settings.sandbox, emulated) }
}

function openPartners(
  given: PartnerSettings,
  send: Send,
  emulated?: PartnerOptions['emulated'],
): PartnersOfEnvironment {
  /** Opens a client with the given settings, or else with those of the emulator. */
  const open = <Key extends keyof PartnerSettings, Client>(
    key: Key,
    create: (settings: NonNullable<PartnerSettings[Key]>, send: Send) => Client,
  ): Client | undefined => {
    const own = given[key]
    if (own) return create(own, send)
    const fallback = emulated?.settings[key]
    return emulated && fallback ? create(fallback, emulated.send) : undefined
  }
  return {
    npiRegistry: open('nppes', createNppesRegistry),
    eligibility: open('stedi', createStediGateway),
    couriers: [],
  }
}
