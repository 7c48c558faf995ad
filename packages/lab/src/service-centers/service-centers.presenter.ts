import type { Billing } from '../catalog/index.ts'
import {
  ALIAS_CAPABILITY,
  type Capability,
  type LabLocation,
  type WireCapability,
} from './service-centers.schema.ts'
import type { ServiceCenter } from './service-centers.service.ts'

/**
 * A site as it is answered. Clients of the alias read another spelling of two things
 * (docs/contract/10-labs-and-tests.md#how-to-read-the-pages-of-laboratories).
 * @param billings What the lab accounts allow.
 */
export function toLabLocation(
  center: ServiceCenter,
  billings: readonly Billing[],
  isByAlias: boolean,
): LabLocation {
  const { access_notes: _none, ...address } = center.address
  const miles = center.distanceMiles ?? 0
  return {
    metadata: {
      name: center.name,
      ...address,
      phone_number: center.phoneNumber,
      fax_number: center.faxNumber,
      hours: center.hours,
      website: center.website,
    },
    distance: isByAlias ? Math.round(miles) : miles.toFixed(3),
    site_code: center.siteCode,
    supported_bill_types: billings.filter((billing) => center.billTypes.includes(billing)),
    location: center.location,
    capabilities: toWireCapabilities(center.capabilities, isByAlias),
  }
}

/** Names of capabilities for clients; those who asked by the alias of one are answered with it. */
export function toWireCapabilities(
  capabilities: readonly Capability[],
  isByAlias: boolean,
): WireCapability[] {
  if (!isByAlias) return [...capabilities]
  return capabilities.map((it) =>
    it === 'appointment_scheduling_via_service' ? ALIAS_CAPABILITY : it,
  )
}

/** Either spelling, as it is stored. */
export function toServiceCapability(capability: WireCapability): Capability {
  return capability === ALIAS_CAPABILITY ? 'appointment_scheduling_via_service' : capability
}
