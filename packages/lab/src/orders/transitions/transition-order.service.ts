import { findUserReference } from '@salus/accounts/users'
import type { Interpretation } from '@salus/contracts/lab-gateway'
import {
  allowedStatuses,
  type LowLevelStatus,
  mayBecome,
  type OrderFacts,
  type StatusDetail,
} from '@salus/contracts/order-lifecycle'
import { badRequest } from '@salus/kernel/errors'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { endAppointment } from '../appointments/end-appointment.service.ts'
import { orderCreated, orderUpdated } from '../orders.events.ts'
import type { OrderChanges, OrderRow } from '../orders.repository.ts'
import * as repository from '../orders.repository.ts'
import type { Order } from '../orders.schema.ts'
import { listShipments } from '../shipments.repository.ts'
import { showMoments, showRow, transactionStatusOf } from '../show-orders.service.ts'

/** What an order repeats of its newest result. */
export interface ResultChanges {
  interpretation?: Interpretation | null
  has_missing_results?: boolean | null
  collected_on?: string | null
}

/** A transition of an order as it is to be written. */
export interface OrderTransition {
  to: LowLevelStatus
  /**
   * What it is on the way, at the same instant, with an event and a message of its own; ends no
   * appointment.
   */
  through?: LowLevelStatus
  detail?: StatusDetail | null
  at: Date
  /** What else of the order changes with it. */
  changes?: OrderChanges & ResultChanges
  /** No message: partial results, for teams that did not ask for them. */
  isSilent?: boolean
}

/**
 * What an update from outside did to an order. `shown`: it has the status that it had, but what is
 * shown of it or of its appointment changed.
 */
export type UpdateEffect = 'transitioned' | 'shown' | 'ignored'

export interface AppliedUpdate {
  row: OrderRow
  effect: UpdateEffect
}

/** What decides about the transitions of an order. */
export async function orderFacts(scope: Scope, row: OrderRow): Promise<OrderFacts> {
  // Only kits are shipped, and only these two statuses ask whether they were.
  const mayHaveShipped =
    row.method === 'testkit' && ['requisition_created', 'registered'].includes(row.last_status)
  const [shipment] = mayHaveShipped ? await listShipments(scope, [row.id]) : []
  return {
    method: row.method,
    status: row.last_status,
    isUnregisteredKit: row.is_unregistered_kit,
    isRegistered: row.registered_at !== null,
    wasShipped: shipment !== undefined && shipment.outbound_scan !== null,
    isRedraw: row.origin === 'redraw',
  }
}

/**
 * Whether the tables of docs/contract/12-order-lifecycle.md and their guards let the order take the
 * status now.
 */
export async function mayTransition(
  scope: Scope,
  row: OrderRow,
  to: LowLevelStatus,
): Promise<boolean> {
  return mayBecome(await orderFacts(scope, row), to)
}

/**
 * Appends the event of a transition, brings the order, its transaction and its appointment up to
 * date, and emits labtest.order.updated, all in the open transaction. The order must have been
 * locked in it.
 * @throws AppError 400 `transition_not_allowed`, with the statuses that are allowed
 */
export async function transitionOrder(
  tx: TransactionScope,
  row: OrderRow,
  { to, through, detail = null, at: told, changes, isSilent }: OrderTransition,
): Promise<OrderRow> {
  const way = through === undefined ? [to] : [through, to]
  requireWay(await orderFacts(tx, row), way)
  // Messages may come late: events never go back in time.
  const at = laterOf(told, row.last_status_at)
  await endAppointment(tx, row, to, at)
  const events = way.map((status) => ({
    order_id: row.id,
    status,
    status_detail: status === to ? detail : null,
    created_at: at,
  }))
  const changed = await repository.recordOrderEvents(tx, row.id, events, {
    ...changes,
    last_status: to,
    last_status_at: at,
    updated_at: changedAt(tx, row, at),
  })
  const members = await recomputeTransaction(tx, changed, at)
  if (isSilent || row.is_hidden) return changed
  const moments = await showMoments(tx, changed, way, members)
  await writeOrderEvents(tx, orderUpdated, moments)
  return changed
}

function requireWay(facts: OrderFacts, [to, ...more]: readonly LowLevelStatus[]): void {
  if (to === undefined) return
  if (!mayBecome(facts, to)) throw refuseTransition(facts, to)
  requireWay({ ...facts, status: to }, more)
}

/**
 * `updated_at` of an order that changes now. An event happened at a time of its own, which may be
 * long ago when it is told; whoever reads what changed since they last looked must find it all the
 * same. So this is when it was written down, and never before the event or the change before.
 */
export function changedAt(
  { clock, environment }: Pick<Scope, 'clock' | 'environment'>,
  row: Pick<OrderRow, 'updated_at'>,
  at: Date,
): Date {
  return laterOf(laterOf(environmentNow({ clock, environment }), at), row.updated_at)
}

export const laterOf = (one: Date, other: Date): Date => (one < other ? other : one)

function refuseTransition(facts: OrderFacts, to: LowLevelStatus) {
  const message = `An order that is ${facts.status} cannot become ${to}.`
  return badRequest('transition_not_allowed', message, {
    from: facts.status,
    to,
    allowed: allowedStatuses(facts),
  })
}

/**
 * Derives the status of a transaction anew, as with each event of its orders.
 * @returns its orders
 */
export async function recomputeTransaction(
  tx: TransactionScope,
  { transaction_id: transactionId }: OrderRow,
  at: Date,
): Promise<repository.TransactionMember[]> {
  const members = await repository.listTransactionMembers(tx, [transactionId])
  await repository.updateTransaction(tx, transactionId, transactionStatusOf(members), at)
  return members
}

/** Changes what the order repeats of its results, without an event of its own. */
export async function recordResult(
  tx: TransactionScope,
  row: OrderRow,
  changes: ResultChanges,
  at: Date,
): Promise<OrderRow> {
  const { interpretation, has_missing_results, collected_on } = changes
  return repository.updateOrder(tx, row.id, {
    interpretation,
    has_missing_results,
    collected_on,
    updated_at: changedAt(tx, row, at),
  })
}

/**
 * Emits that an order was created or updated, and gives the order as it is shown. Nothing is
 * emitted for the order of a deleted person: what laboratories say of it is kept in case that is
 * undone.
 * @param shown the order as it is now, where that is known
 */
export async function emitOrder(
  tx: TransactionScope,
  row: OrderRow,
  what: 'created' | 'updated',
  shown?: Order,
): Promise<Order> {
  const order = shown ?? (await showRow(tx, row))
  const type = what === 'created' ? orderCreated : orderUpdated
  if (!row.is_hidden) await writeOrderEvents(tx, type, [order])
  return order
}

/** Emits events of one order, each as it was shown then. */
async function writeOrderEvents(
  tx: TransactionScope,
  type: typeof orderCreated | typeof orderUpdated,
  moments: readonly Order[],
): Promise<void> {
  const [order] = moments
  const user = (order && (await findUserReference(tx, order.user_id))) ?? null
  await writeEvents(
    tx,
    moments.map((data) => newEvent({ type, user, data, subjectIds: [data.id] })),
  )
}
