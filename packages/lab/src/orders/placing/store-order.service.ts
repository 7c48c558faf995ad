import { badRequest } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import { awaitWithCommit } from '@salus/kernel/postgres/transaction'
import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import { DISPATCH_ORDER } from '../dispatch/dispatch-job.ts'
import type { OrderEventRow } from '../order-events.repository.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { Order } from '../orders.schema.ts'
import { insertShipment } from '../shipments.repository.ts'
import { showNewOrder } from '../show-orders.service.ts'
import { emitOrder, recomputeTransaction } from '../transitions/transition-order.service.ts'
import { insertNewOrder, takeOrderEventId } from './new-orders.repository.ts'
import { type Lineage, type OrderDraft, toNewOrder } from './order-draft.ts'
import { storePhysician } from './physicians.service.ts'

/** Returns the lineage of an order without a predecessor. */
export const newLineage = (): Lineage => ({
  origin: 'initial',
  transactionId: newId(),
  parentId: null,
  updateReason: null,
})

/**
 * Returns a creation time after the parent's, because orders of a transaction are sorted by
 * creation.
 */
export function laterThan(parent: Pick<OrderRow, 'created_at'>, at: Date): Date {
  return new Date(Math.max(at.getTime(), parent.created_at.getTime() + 1))
}

/**
 * Stores a draft with its first event and, for a kit, its shipment, and emits the event. Adds the
 * dispatch job unless the order is scheduled or was placed elsewhere. Runs in the caller's
 * transaction.
 * @param eventId id of the first event, if the caller has begun to take it
 * @throws AppError 400 `sample_id_taken`
 */
export async function storeOrder(
  tx: TransactionScope,
  draft: OrderDraft,
  lineage: Lineage,
  at: Date,
  eventId = takeOrderEventId(tx),
): Promise<{ row: OrderRow; order: Order }> {
  const { id: environmentId, teamId } = tx.environment
  const isFirst = lineage.parentId === null
  const ids = { id: newId(), detailsId: newId() }
  const row = { ...toNewOrder(draft, lineage, ids, at), environment_id: environmentId }
  const event = firstEventOf(row, await eventId)
  await insertOrder(tx, row, event, isFirst)
  const shipment =
    row.method === 'testkit' ? await insertShipment(tx, { id: newId(), orderId: row.id, at }) : null
  if (draft.physician?.is_own) {
    await storePhysician(tx.db, teamId, draft.physician, at)
  }
  // A transaction that had ended becomes active again.
  if (!isFirst) await recomputeTransaction(tx, row, at)
  const { labTest, user } = draft
  const shown = isFirst ? await showNewOrder(tx, row, { event, shipment, labTest }) : undefined
  const order = await emitOrder(tx, row, 'created', { shown, user })
  const isDue = !draft.isImported && !isForLater(row, at)
  if (isDue) await addDispatchJob(tx, row.id)
  return { row, order }
}

/** @throws AppError 400 `sample_id_taken` */
async function insertOrder(
  tx: TransactionScope,
  row: OrderRow,
  event: OrderEventRow,
  isFirst: boolean,
): Promise<void> {
  const inserted = insertNewOrder(tx, row, event, isFirst)
  // Without a sample id there is nothing to learn from the answer.
  if (row.sample_id === null) return awaitWithCommit(tx.db, inserted)
  if (await inserted) return
  throw badRequest('sample_id_taken', 'The laboratory has another order with this sample_id.')
}

function firstEventOf(row: OrderRow, id: number): OrderEventRow {
  const { environment_id, id: order_id, last_status: status, created_at } = row
  return { environment_id, order_id, id, status, status_detail: null, created_at }
}

/** Adds the job that dispatches the order, with retries after growing pauses. */
export function addDispatchJob({ db, environment }: RowScope, orderId: string): Promise<void> {
  return addJob(db, DISPATCH_ORDER, { environmentId: environment.id, orderId })
}

/** Returns whether an order is scheduled for a later day. */
function isForLater({ activate_by: date }: OrderRow, at: Date): boolean {
  return date !== null && date > at.toISOString().slice(0, 10)
}
