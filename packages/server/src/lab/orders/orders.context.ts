import type { Scope } from '../../platform/scope.ts'

/** What the services of orders work in. */
export type OrdersContext = Scope

/** What placing an order needs besides. */
export interface PlacingContext extends OrdersContext {
  /** Whether something leads to a laboratory from the environment. */
  isConnected: (labSlug: string) => boolean
}
