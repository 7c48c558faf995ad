import type { Billing } from '../catalog/index.ts'
import {
  ALIAS_CAPABILITY,
  type Capability,
  type LabLocation,
  type WireCapability,
} from './service-centers.schema.ts'
import type { ServiceCenter } from './service-centers.service.ts'

/**
 * Returns the wire object of a site. Two fields have another spelling for clients of the alias
 * (docs/contract/10-labs-and-tests.md#how-to-read-the-pages-of-laboratories).
 * @param billings billing types that the lab accounts allow
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

/** Returns the names of capabilities for clients; requests with an alias get the alias. */
export function toWireCapabilities(
  capabilities: readonly Capability[],
  isByAlias: boolean,
): WireCapability[] {
  if (!isByAlias) return [...capabilities]
  return capabilities.map((it) =>
    it === 'appointment_scheduling_via_service' ? ALIAS_CAPABILITY : it,
  )
}

/** Returns the stored name of a capability in either spelling. */
export function toServiceCapability(capability: WireCapability): Capability {
  return capability === ALIAS_CAPABILITY ? 'appointment_scheduling_via_service' : capability
}
