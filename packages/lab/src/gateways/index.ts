import type { Deliver, LabGateway, LabSimulator } from '@salus/contracts/lab-gateway'
import type { LabPartners } from '@salus/contracts/lab-partners'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type CourierGateway, createCourierGateway } from './courier-gateway.ts'

export type { CourierGateway, Parcel } from './courier-gateway.ts'
export { callLabPartner, requirePartner } from './partner-calls.ts'

/** Gateways that operators connected, by the stored connections. */
export interface ConnectedGateways {
  /** Returns the gateway of an environment to a laboratory; undefined without an enabled one. */
  find(environmentId: string, labSlug: string): Promise<LabGateway | undefined>
  /** Returns a gateway by its name, also of a connection that is disabled now. */
  byName(environmentId: string, name: string): Promise<LabGateway | undefined>
  /** Waits until the connections are known. Await it before a transaction, and not inside. */
  ready(): Promise<void>
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
  /** Couriers that are questioned about parcels, by the kind of the environment. */
  couriers: Readonly<Record<EnvironmentKind, readonly CourierGateway[]>>
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
  partners: LabPartners,
): LabGateways {
  const couriers = {
    sandbox: partners.sandbox.couriers.map(createCourierGateway),
    production: partners.production.couriers.map(createCourierGateway),
  }
  return {
    connected,
    simulator,
    couriers,
    async find(environment, labSlug) {
      const gateway = await connected.find(environment.id, labSlug)
      return gateway ?? (environment.kind === 'sandbox' ? simulator : undefined)
    },
    async byName(environment, name) {
      const own = [simulator, ...couriers[environment.kind]].find((one) => one.name === name)
      return own ?? connected.byName(environment.id, name)
    },
  }
}
