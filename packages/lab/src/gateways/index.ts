import type { LabGateway, LabSimulator } from '@salus/contracts/lab-gateway'
import type { EnvironmentKind } from '@salus/kernel/scope'

/** The gateways of an installation. */
export interface LabGateways {
  /** Every one of them. */
  all: readonly LabGateway[]
  /** What stands in for all laboratories in sandboxes. */
  simulator: LabSimulator
  /** The way to a laboratory from an environment; undefined where none is set up. */
  find(environment: EnvironmentKind, labSlug: string): LabGateway | undefined
  /** The gateway that a stored message came through. */
  byName(name: string): LabGateway | undefined
}

/** No gateway to a real laboratory is part of this version, so production orders wait for one. */
export function createLabGateways(simulator: LabSimulator): LabGateways {
  const all = [simulator]
  return {
    all,
    simulator,
    find: (environment) => (environment === 'sandbox' ? simulator : undefined),
    byName: (name) => all.find((gateway) => gateway.name === name),
  }
}
