import type { LabGateway, LabSimulator } from '@salus/contracts/lab-gateway'
import type { EnvironmentKind } from '@salus/kernel/scope'

export { callLabPartner, requirePartner } from './partner-calls.ts'

/** The gateways of an installation. */
export interface LabGateways {
  /** All gateways. */
  all: readonly LabGateway[]
  /** The simulator of all laboratories in sandboxes. */
  simulator: LabSimulator
  /** Returns the gateway of an environment to a laboratory; undefined without one. */
  find(environment: EnvironmentKind, labSlug: string): LabGateway | undefined
  /** Returns the gateway through which a stored message was received. */
  byName(name: string): LabGateway | undefined
}

/** This version has no gateway to a real laboratory, so production orders wait for one. */
export function createLabGateways(simulator: LabSimulator): LabGateways {
  const all = [simulator]
  return {
    all,
    simulator,
    find: (environment) => (environment === 'sandbox' ? simulator : undefined),
    byName: (name) => all.find((gateway) => gateway.name === name),
  }
}
