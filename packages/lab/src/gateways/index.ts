import type { LabGateway, LabSimulator } from '@salus/contracts/lab-gateway'
import type { LabPartners } from '@salus/contracts/lab-partners'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type CourierGateway, createCourierGateway } from './courier-gateway.ts'

export type { CourierGateway, Parcel } from './courier-gateway.ts'
export { callLabPartner, requirePartner } from './partner-calls.ts'

/** The gateways of an installation. */
export interface LabGateways {
  /** All gateways. */
  all: readonly LabGateway[]
  /** The simulator of all laboratories in sandboxes. */
  simulator: LabSimulator
  /** Couriers that are questioned about parcels, by the kind of the environment. */
  couriers: Readonly<Record<EnvironmentKind, readonly CourierGateway[]>>
  /** Returns the gateway of an environment to a laboratory; undefined without one. */
  find(environment: EnvironmentKind, labSlug: string): LabGateway | undefined
  /** Returns the gateway through which a stored message was received. */
  byName(name: string): LabGateway | undefined
}

/** This version has no gateway to a real laboratory, so production orders wait for one. */
export function createLabGateways(simulator: LabSimulator, partners: LabPartners): LabGateways {
  const couriers = {
    sandbox: partners.sandbox.couriers.map(createCourierGateway),
    production: partners.production.couriers.map(createCourierGateway),
  }
  const all = [simulator, ...couriers.sandbox, ...couriers.production]
  return {
    all,
    simulator,
    couriers,
    find: (environment) => (environment === 'sandbox' ? simulator : undefined),
    byName: (name) => all.find((gateway) => gateway.name === name),
  }
}
