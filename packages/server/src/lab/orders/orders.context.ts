import type { Scope } from '../../platform/scope.ts'

/** What the services of orders work in. */
export type OrdersContext = Scope
