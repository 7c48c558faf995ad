import { findUserReference, type UserReference } from '@salus/accounts/users'
import type { Interpretation } from '@salus/contracts/lab-gateway'
import {
  allowedStatuses,
  canBecomeStatus,
  type LowLevelStatus,
  type OrderFacts,
  type StatusDetail,
} from '@salus/contracts/order-lifecycle'
import { badRequest } from '@salus/kernel/errors'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { awaitWithCommit } from '@salus/kernel/postgres/transaction'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { endAppointment } from '../appointments/end-appointment.service.ts'
import { orderCreated, orderUpdated } from '../orders.events.ts'
import type { OrderChanges, OrderRow } from '../orders.repository.ts'
import * as repository from '../orders.repository.ts'
import type { Order } from '../orders.schema.ts'
import { listShipments } from '../shipments.repository.ts'
import { readOrderForStatuses, showRow, transactionStatusOf } from '../show-orders.service.ts'
import { endStuckTask } from '../stuck/stuck-tasks.service.ts'

/** Columns of an order that are copied from its newest result. */
export interface ResultChanges {
  interpretation?: Interpretation | null
  has_missing_results?: boolean | null
  collected_on?: string | null
}

/** A transition of an order to write. */
export interface OrderTransition {
  to: LowLevelStatus
  /** Intermediate status at the same instant, with its own event; it ends no appointment. */
  through?: LowLevelStatus
  detail?: StatusDetail | null
  at: Date
  /** Further changes of the order. */
  changes?: OrderChanges & ResultChanges
  /** Emits no event: partial results, for teams that have not enabled them. */
  isSilent?: boolean
}

/**
 * Effect of an external update on an order. `shown`: the status is unchanged, but visible data of
 * the order or its appointment changed.
 */
export type UpdateEffect = 'transitioned' | 'shown' | 'ignored'

export interface AppliedUpdate {
  row: OrderRow
  effect: UpdateEffect
}

/** Returns the data that decides about the transitions of an order. */
export async function readOrderFacts(scope: Scope, row: OrderRow): Promise<OrderFacts> {
  // Only kits are shipped, and only these two statuses depend on it.
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
 * Returns whether the state machine of docs/contract/12-order-lifecycle.md and its guards allow the
 * transition now.
 */
export async function mayTransition(
  scope: Scope,
  row: OrderRow,
  to: LowLevelStatus,
): Promise<boolean> {
  return canBecomeStatus(await readOrderFacts(scope, row), to)
}

/**
 * Appends the event of a transition, updates the order, its transaction, its appointment and its
 * task, and emits labtest.order.updated, all in the open transaction, in which the order must be
 * locked.
 * @throws AppError 400 `transition_not_allowed`, with the allowed statuses
 */
export async function transitionOrder(
  tx: TransactionScope,
  row: OrderRow,
  { to, through, detail = null, at: givenAt, changes, isSilent }: OrderTransition,
): Promise<OrderRow> {
  const way = through === undefined ? [to] : [through, to]
  requireWay(await readOrderFacts(tx, row), way)
  // Messages may come late, but events never go back in time.
  const at = laterOf(givenAt, row.last_status_at)
  await endAppointment(tx, row, to, at)
  await endStuckTask(tx, row)
  const events = way.map((status) => ({
    order_id: row.id,
    status,
    status_detail: status === to ? detail : null,
    created_at: at,
  }))
  const shows = !isSilent && !row.is_hidden
  // They share a round trip, and the reads come after the change.
  const [changed, members, showIn, user] = await Promise.all([
    repository.recordOrderEvents(tx, row.id, events, {
      ...changes,
      last_status: to,
      last_status_at: at,
      updated_at: changedAt(tx, row, at),
    }),
    repository.listTransactionMembers(tx, [row.transaction_id]),
    shows ? readOrderForStatuses(tx, row) : undefined,
    shows ? findUserReference(tx, changes?.user_id ?? row.user_id) : undefined,
  ])
  const moments = showIn?.(changed, way, members) ?? []
  await Promise.all([
    storeTransactionStatus(tx, row.transaction_id, members, at),
    writeOrderEvents(tx, orderUpdated, moments, user ?? null),
  ])
  return changed
}

function requireWay(facts: OrderFacts, [to, ...more]: readonly LowLevelStatus[]): void {
  if (to === undefined) return
  if (!canBecomeStatus(facts, to)) throw refuseTransition(facts, to)
  requireWay({ ...facts, status: to }, more)
}

/**
 * Returns `updated_at` for an order that changes now. The event itself may have happened long ago,
 * but clients that poll for changes must find it. So it is the time of writing, and never earlier
 * than the previous event or change.
 */
export function changedAt(
  { clock, environment }: Pick<Scope, 'clock' | 'environment'>,
  row: Pick<OrderRow, 'updated_at'>,
  at: Date,
): Date {
  return laterOf(laterOf(environmentNow({ clock, environment }), at), row.updated_at)
}

export const laterOf = (one: Date, other: Date): Date => (one < other ? other : one)

/** Returns the error of a transition that is not allowed, with those that are. */
export function refuseTransition(facts: OrderFacts, to: LowLevelStatus) {
  const message = `An order that is ${facts.status} cannot become ${to}.`
  return badRequest('transition_not_allowed', message, {
    from: facts.status,
    to,
    allowed: allowedStatuses(facts).filter((status) => status !== to),
  })
}

/**
 * Recomputes the status of a transaction, as after each event of its orders.
 * @returns its orders
 */
export async function recomputeTransaction(
  tx: TransactionScope,
  { transaction_id: transactionId }: OrderRow,
  at: Date,
): Promise<repository.TransactionMember[]> {
  const members = await repository.listTransactionMembers(tx, [transactionId])
  await storeTransactionStatus(tx, transactionId, members, at)
  return members
}

const storeTransactionStatus = (
  tx: TransactionScope,
  id: string,
  members: readonly repository.TransactionMember[],
  at: Date,
) => awaitWithCommit(tx.db, repository.updateTransaction(tx, id, transactionStatusOf(members), at))

/** Changes the columns that are copied from the results, without an event. */
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
 * Emits that an order was created or updated, and returns the order. Nothing is emitted for the
 * order of a deleted person; the data of laboratories is kept in case the deletion is undone.
 * @param known the current wire object and its user, as far as they were read
 */
export async function emitOrder(
  tx: TransactionScope,
  row: OrderRow,
  what: 'created' | 'updated',
  known: { shown?: Order | undefined; user?: UserReference | undefined } = {},
): Promise<Order> {
  const order = known.shown ?? (await showRow(tx, row))
  const type = what === 'created' ? orderCreated : orderUpdated
  if (!row.is_hidden) await writeOrderEvents(tx, type, [order], known.user)
  return order
}

/** Emits events of one order, each with the order as it was then. */
async function writeOrderEvents(
  tx: TransactionScope,
  type: typeof orderCreated | typeof orderUpdated,
  moments: readonly Order[],
  known?: UserReference | null,
): Promise<void> {
  const [order] = moments
  if (order === undefined) return
  const user = known === undefined ? await findUserReference(tx, order.user_id) : known
  await writeEvents(
    tx,
    moments.map((data) => newEvent({ type, user: user ?? null, data, subjectIds: [data.id] })),
  )
}
