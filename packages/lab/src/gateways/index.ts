import type { Deliver, LabGateway, LabSimulator } from '@salus/contracts/lab-gateway'
import type { EnvironmentKind } from '@salus/kernel/scope'

/** Gateways that operators connected, by the stored connections. */
export interface ConnectedGateways {
  /** Returns the gateway of an environment to a laboratory; undefined without an enabled one. */
  find(environmentId: string, labSlug: string): Promise<LabGateway | undefined>
  /** Returns a gateway by its name, also of a connection that is disabled now. */
  byName(environmentId: string, name: string): Promise<LabGateway | undefined>
  /** Receives messages from now on. */
  open(deliver: (gateway: string, ...message: Parameters<Deliver>) => ReturnType<Deliver>): void
  /**
   * Keeps the connections in memory from now on.
   * @param isReceiver whether this process may receive messages
   */
  start(options: { isReceiver: boolean }): void
  /** Ends receiving. */
  close(): Promise<void>
}

/** The gateways of an installation. */
export interface LabGateways {
  connected: ConnectedGateways
  /** The simulator of all laboratories in sandboxes. */
  simulator: LabSimulator
  /** Returns the gateway of an environment to a laboratory; undefined without one. */
  find(environment: GatewayEnvironment, labSlug: string): Promise<LabGateway | undefined>
  /** Returns the gateway through which a stored message was received. */
  byName(environment: GatewayEnvironment, name: string): Promise<LabGateway | undefined>
}

interface GatewayEnvironment {
  id: string
  kind: EnvironmentKind
}

/**
 * Combines the simulator of sandboxes with the connections of the operator. A sandbox that has a
 * connection to a laboratory uses it, so that the operator can rehearse.
 */
export function createLabGateways(
  simulator: LabSimulator,
  connected: ConnectedGateways,
): LabGateways {
  return {
    connected,
    simulator,
    async find(environment, labSlug) {
      const gateway = await connected.find(environment.id, labSlug)
      return gateway ?? (environment.kind === 'sandbox' ? simulator : undefined)
    },
    async byName(environment, name) {
      return name === simulator.name ? simulator : connected.byName(environment.id, name)
    },
  }
}
