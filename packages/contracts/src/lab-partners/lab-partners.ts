import type { SchedulingGateway } from '../lab-gateway/index.ts'
import type { CourierTracker } from './courier-tracker.ts'
import type { EligibilityGateway } from './eligibility-gateway.ts'
import type { NpiRegistry } from './npi-registry.ts'

/** The partners of an environment; undefined for those that are off. */
export interface PartnersOfEnvironment {
  readonly npiRegistry: NpiRegistry | undefined
  readonly eligibility: EligibilityGateway | undefined
  /** Providers of appointments that are reached, in place of their simulators. */
  readonly scheduling: readonly SchedulingGateway[]
  /** Couriers whose parcels are looked up. */
  readonly couriers: readonly CourierTracker[]
}

/** The partners of an installation, by the kind of the environment. */
export type LabPartners = Readonly<Record<'sandbox' | 'production', PartnersOfEnvironment>>
