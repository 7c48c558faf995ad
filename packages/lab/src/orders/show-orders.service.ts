import { type LowLevelStatus, transactionStatus } from '@salus/contracts/order-lifecycle'
import { notFoundCode } from '@salus/kernel/errors'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { listActiveAppointmentIds } from '../appointments/index.ts'
import { type OrderedTest, showLabTests, showOrderedTest } from '../catalog/index.ts'
import { hasAppointments } from './appointments/end-appointment.service.ts'
import { type OrderParts, toOrder, toOrderTransaction } from './order.presenter.ts'
import { listOrderEvents, type OrderEventRow } from './order-events.repository.ts'
import * as repository from './orders.repository.ts'
import type { Order, OrderTransaction } from './orders.schema.ts'
import { listShipments, type ShipmentRow } from './shipments.repository.ts'

/**
 * Returns the wire objects of orders in the order of the ids; unknown ids and orders of deleted
 * people are left out.
 */
export async function showOrders(scope: Scope, asked: readonly string[]): Promise<Order[]> {
  if (asked.length === 0) return []
  const ids = asked.map((id) => id.toLowerCase())
  const rows = await repository.listOrderRows(scope, ids)
  return showRows(
    scope,
    ids,
    rows.filter((row) => !row.is_hidden),
  )
}

/** Returns the wire object of an order's row inside the transaction that changed it. */
export async function showRow(scope: Scope, row: repository.OrderRow): Promise<Order> {
  const [order] = await showRows(scope, [row.id], [row])
  if (order === undefined) throw new Error('An order could not be read for its row.')
  return order
}

/**
 * Returns the wire object of an order that was just stored, alone in its transaction, with fewer
 * queries than showRow.
 */
export async function showNewOrder(
  scope: Scope,
  row: repository.OrderRow,
  stored: { event: OrderEventRow; shipment: ShipmentRow | null; labTest: OrderedTest },
): Promise<Order> {
  const labTest = await showOrderedTest(scope, stored.labTest)
  return toOrder({
    teamId: scope.environment.teamId,
    row,
    events: [stored.event],
    shipment: stored.shipment,
    appointmentId: null,
    labTest,
    transaction: { id: row.transaction_id, status: 'active' },
    members: [row],
  })
}

/**
 * Returns an order as it was in each of the statuses that the open transaction gave it.
 * @param row as it is now, in the last of the statuses
 * @param members of its transaction, as they are now
 */
type ShowInStatuses = (
  row: repository.OrderRow,
  statuses: readonly LowLevelStatus[],
  members: readonly repository.TransactionMember[],
) => Order[]

/** Reads the other data of an order for all of its new statuses, which must be stored. */
export async function readOrderForStatuses(
  scope: Scope,
  stored: repository.OrderRow,
): Promise<ShowInStatuses> {
  const partsOf = await readParts(scope, [stored])
  return (row, statuses, members) => {
    const parts = partsOf(row)
    if (parts === undefined) throw new Error('The lab test of an order is gone.')
    const before = parts.events.length - statuses.length
    return statuses.map((last_status, index) => {
      const then = members.map((member) =>
        member.id === row.id ? { ...row, last_status } : member,
      )
      return toOrder({
        ...parts,
        events: parts.events.slice(0, before + index + 1),
        transaction: { id: row.transaction_id, status: transactionStatusOf(then) },
        members: then.filter((member) => !member.is_hidden),
      })
    })
  }
}

/** Returns the status of a transaction, which follows from its orders. */
export const transactionStatusOf = (members: readonly repository.TransactionMember[]) =>
  transactionStatus(members.map(({ last_status: status, origin }) => ({ status, origin })))

async function showRows(
  scope: Scope,
  ids: readonly string[],
  rows: readonly repository.OrderRow[],
): Promise<Order[]> {
  const transactionIds = [...new Set(rows.map((row) => row.transaction_id))]
  const [partsOf, transactions, members] = await Promise.all([
    readParts(scope, rows),
    repository.listTransactions(scope, transactionIds),
    repository.listTransactionMembers(scope, transactionIds),
  ])
  const shown = members.filter((member) => !member.is_hidden)
  const membersOf = Map.groupBy(shown, (member) => member.transaction_id)
  const transactionOf = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rowOf.get(id)
    const transaction = row && transactionOf.get(row.transaction_id)
    const parts = row && partsOf(row)
    if (parts === undefined || transaction === undefined) return []
    return toOrder({
      ...parts,
      transaction,
      members: membersOf.get(parts.row.transaction_id) ?? [],
    })
  })
}

/**
 * Returns the data of an order apart from its transaction; undefined when its lab test does not
 * exist.
 */
type PartsOf = (row: repository.OrderRow) => Omit<OrderParts, 'transaction' | 'members'> | undefined

async function readParts(scope: Scope, rows: readonly repository.OrderRow[]): Promise<PartsOf> {
  const ids = rows.map(({ id }) => id)
  const kitIds = rows.filter(({ method }) => method === 'testkit').map(({ id }) => id)
  const visitIds = rows.filter(({ method }) => hasAppointments(method)).map(({ id }) => id)
  const [events, shipments, appointmentOf, labTests] = await Promise.all([
    listOrderEvents(scope, ids),
    kitIds.length === 0 ? [] : listShipments(scope, kitIds),
    listActiveAppointmentIds(scope, visitIds),
    showLabTests(scope, [...new Set(rows.map((row) => row.lab_test_id))]),
  ])
  const eventsOf = Map.groupBy(events, (event) => event.order_id)
  const shipmentOf = new Map(shipments.map((shipment) => [shipment.order_id, shipment]))
  return (row) => {
    const labTest = labTests.get(row.lab_test_id)
    if (labTest === undefined) return undefined
    return {
      teamId: scope.environment.teamId,
      row,
      events: eventsOf.get(row.id) ?? [],
      shipment: shipmentOf.get(row.id) ?? null,
      appointmentId: appointmentOf.get(row.id) ?? null,
      labTest,
    }
  }
}

/**
 * Returns the wire object of an order.
 * @throws AppError 404 for an unknown order and for one of another environment
 */
export async function showOrder(scope: Scope, orderId: string): Promise<Order> {
  const [order] = await showOrders(scope, [orderId])
  if (order === undefined) throw notFoundCode('order_not_found')
  return order
}

/** Returns the row of an order. @throws AppError 404, also for an order of a deleted person */
export async function getOrderRow(scope: Scope, orderId: string): Promise<repository.OrderRow> {
  const row = await repository.findOrder(scope, orderId)
  if (row === undefined || row.is_hidden) throw notFoundCode('order_not_found')
  return row
}

/** Returns the user of an order, including a deleted one; null for an unknown order. */
export async function findUserOfOrder(scope: Scope, orderId: string): Promise<string | null> {
  const row = await repository.findOrder(scope, orderId)
  return row?.user_id ?? null
}

/** Checks that the order exists and belongs to the person. @throws AppError 404 */
export async function requireOrderOf(scope: Scope, orderId: string, userId: string): Promise<void> {
  if ((await getOrderRow(scope, orderId)).user_id !== userId) throw notFoundCode('order_not_found')
}

/** Checks that the transaction exists and belongs to the person. @throws AppError 404 */
export async function requireOrderTransactionOf(
  scope: Scope,
  transactionId: string,
  userId: string,
): Promise<void> {
  const { members } = await readTransaction(scope, transactionId)
  const ids = members.map(({ id }) => id)
  const rows = await repository.listOrderRows(scope, ids)
  const isTheirs = rows.length === ids.length && rows.every((row) => row.user_id === userId)
  if (!isTheirs) throw notFoundCode('order_transaction_not_found')
}

/** Returns an order transaction. @throws AppError 404 */
export async function getOrderTransaction(
  scope: Scope,
  transactionId: string,
): Promise<OrderTransaction> {
  const { transaction, members } = await readTransaction(scope, transactionId)
  return toOrderTransaction(transaction, members)
}

/** Returns a transaction with its visible orders; undefined when it has none. */
async function readTransaction(scope: Scope, transactionId: string) {
  const [transaction] = await repository.listTransactions(scope, [transactionId])
  const all = await repository.listTransactionMembers(scope, [transactionId])
  const members = all.filter((member) => !member.is_hidden)
  if (transaction === undefined || members.length === 0) {
    throw notFoundCode('order_transaction_not_found')
  }
  return { transaction, members }
}

/** Returns the transaction as its endpoint shows it, with each status under both names. */
export async function showOrderTransaction(scope: Scope, transactionId: string) {
  const { transaction, members } = await readTransaction(scope, transactionId)
  const { id, status } = transaction
  const orders = members.map((member) => ({
    id: member.id,
    origin: member.origin,
    parent_id: member.parent_id,
    last_status: member.last_status,
    last_status_created_at: formatInstant(member.last_status_at),
    updated_at: formatInstant(member.updated_at),
    created_at: formatInstant(member.created_at),
    low_level_status: member.last_status,
    low_level_status_created_at: formatInstant(member.last_status_at),
  }))
  return { id, team_id: scope.environment.teamId, status, orders }
}
