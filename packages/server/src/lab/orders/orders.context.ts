import type { Db } from '../../platform/postgres/database.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Clock } from '../../platform/time/clock.ts'

/** What placing an order needs besides. */
export interface PlacingContext extends OrdersContext {
  /** Whether something leads to a laboratory from the environment. */
  isConnected: (labSlug: string) => boolean
}

/** What the services of orders need: where the data is, what time it is, whose it is. */
export interface OrdersContext {
  db: Db
  clock: Clock
  environment: Environment
}
