import type { Cause } from './causes.ts'
import type { CollectionMethod, Group, LowLevelStatus } from './statuses.ts'
import { MACHINES, type Transition } from './transitions.ts'

/**
 * `received.testkit.ordered`: what an event shows
 * (docs/contract/12-order-lifecycle.md#status-form).
 */
export type OrderStatus = `${Group}.${CollectionMethod}.${LowLevelStatus}`

/**
 * Facts of an order that decide about its transitions: its status, and the conditions of guards.
 */
export interface OrderFacts {
  method: CollectionMethod
  status: LowLevelStatus
  /** The order was placed before its patient was known. */
  isUnregisteredKit: boolean
  isRegistered: boolean
  /** The courier has scanned the outbound parcel. */
  wasShipped: boolean
  isRedraw: boolean
}

export const TERMINAL: ReadonlySet<LowLevelStatus> = new Set<LowLevelStatus>([
  'completed',
  'corrected',
  'redraw_available',
  'cancelled',
  'do_not_process',
  'lost',
  'sample_error',
  'failure_to_deliver_to_customer',
  'failure_to_deliver_to_lab',
])

/** Whether no transition follows a status, except corrections of completed orders. */
export function isTerminal(status: LowLevelStatus): boolean {
  return TERMINAL.has(status)
}

/** Returns the group of a status, which can differ between collection methods. */
export function groupOf(method: CollectionMethod, status: LowLevelStatus): Group {
  const group = MACHINES[method].groups[status]
  if (group === undefined) throw new Error(`${status} is no status of ${method}`)
  return group
}

/**
 * Returns the status as `group.method.status`.
 * @throws Error when the method has no such status
 */
export function orderStatus(method: CollectionMethod, status: LowLevelStatus): OrderStatus {
  return `${groupOf(method, status)}.${method}.${status}`
}

/** Returns the statuses that the tables allow next, before guards. */
export function statusesAfter(method: CollectionMethod, from: LowLevelStatus): LowLevelStatus[] {
  return MACHINES[method].transitions.filter((row) => row.from === from).map(({ to }) => to)
}

/**
 * Whether a guard of docs/contract/12-order-lifecycle.md#testkit forbids a transition of the table.
 */
function isGuarded(facts: OrderFacts, to: LowLevelStatus): boolean {
  const { status, isUnregisteredKit, isRegistered, wasShipped, isRedraw } = facts
  const hasPatient = !isUnregisteredKit || isRegistered
  switch (to) {
    case 'registered':
      return !isUnregisteredKit || isRegistered
    case 'awaiting_registration':
      return !isUnregisteredKit
    case 'transit_lab':
    case 'delivered_to_lab':
      return !hasPatient
    case 'requisition_created':
      return !hasPatient
    case 'transit_customer':
      // Once the kit is registered, its way out is over or irrelevant.
      return isUnregisteredKit && isRegistered
    case 'redraw_available':
      return isRedraw
    case 'cancelled':
      return wasShipped && (status === 'requisition_created' || status === 'registered')
    default:
      return false
  }
}

/** Returns the transitions that the guards allow now. */
export function allowedTransitions(facts: OrderFacts): Transition[] {
  const { method, status } = facts
  return MACHINES[method].transitions.filter(
    ({ from, to }) => from === status && !isGuarded(facts, to),
  )
}

/** Returns the statuses that the order may take now. */
export function allowedStatuses(facts: OrderFacts): LowLevelStatus[] {
  return allowedTransitions(facts).map(({ to }) => to)
}

/** Whether the order may take a status now. */
export function mayBecome(facts: OrderFacts, to: LowLevelStatus): boolean {
  return allowedStatuses(facts).includes(to)
}

/** Returns the status to which a cause leads, at most one; undefined when it leads nowhere. */
export function statusBy(facts: OrderFacts, cause: Cause): LowLevelStatus | undefined {
  return allowedTransitions(facts).find(({ causes }) => causes.includes(cause))?.to
}

/** Statuses of the group `cancelled`. */
const CALLED_OFF = new Set<LowLevelStatus>(['cancelled', 'do_not_process'])

/**
 * Returns the status of a transaction from those of its orders
 * (docs/contract/11-orders.md#order-transactions).
 */
export function transactionStatus(
  orders: readonly { status: LowLevelStatus; origin: string }[],
): 'active' | 'completed' | 'cancelled' {
  if (orders.some(({ status }) => !isTerminal(status))) return 'active'
  return orders.every(({ status }) => CALLED_OFF.has(status)) ? 'cancelled' : 'completed'
}
