import type { LabGateway } from './lab-gateway.ts'
import { createSandboxGateway } from './sandbox/index.ts'

/** The gateways of an installation. */
export interface LabGateways {
  /** The way to a laboratory from an environment; undefined where none is set up. */
  find(environment: 'sandbox' | 'production', labSlug: string): LabGateway | undefined
  /** The gateway that a stored message came through. */
  byName(name: string): LabGateway | undefined
}

/**
 * Every gateway there is. In a sandbox the sandbox laboratory stands in for all; no gateway to a real
 * laboratory is part of this version, so production orders wait for one.
 */
export function createLabGateways(): LabGateways {
  const sandbox = createSandboxGateway()
  const gateways = new Map([[sandbox.name, sandbox]])
  return {
    find: (environment) => (environment === 'sandbox' ? sandbox : undefined),
    byName: (name) => gateways.get(name),
  }
}
