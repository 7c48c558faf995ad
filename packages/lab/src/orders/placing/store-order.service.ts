import { badRequest } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import { DISPATCH_ORDER } from '../dispatch/dispatch-job.ts'
import { insertOrderEvent } from '../order-events.repository.ts'
import type { OrderRow } from '../orders.repository.ts'
import * as repository from '../orders.repository.ts'
import type { Order } from '../orders.schema.ts'
import { insertShipment } from '../shipments.repository.ts'
import { showNewOrder } from '../show-orders.service.ts'
import { emitOrder, recomputeTransaction } from '../transitions/transition-order.service.ts'
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
 * @throws AppError 400 `sample_id_taken`
 */
export async function storeOrder(
  tx: TransactionScope,
  draft: OrderDraft,
  lineage: Lineage,
  at: Date,
): Promise<{ row: OrderRow; order: Order }> {
  const { teamId } = tx.environment
  if (lineage.parentId === null) {
    await repository.insertTransaction(tx, lineage.transactionId, at)
  }
  const ids = { id: newId(), detailsId: newId() }
  const row = await repository.insertOrder(tx, toNewOrder(draft, lineage, ids, at))
  if (row === undefined) {
    throw badRequest('sample_id_taken', 'The laboratory has another order with this sample_id.')
  }
  const first = { order_id: row.id, status: 'ordered' as const, status_detail: null }
  const event = await insertOrderEvent(tx, {
    ...first,
    created_at: at,
  })
  const shipment =
    row.method === 'testkit' ? await insertShipment(tx, { id: newId(), orderId: row.id, at }) : null
  if (draft.physician?.is_own) {
    await storePhysician(tx.db, teamId, draft.physician, at)
  }
  // A transaction that had ended becomes active again.
  if (lineage.parentId !== null) await recomputeTransaction(tx, row, at)
  const shown =
    lineage.parentId === null ? await showNewOrder(tx, row, { event, shipment }) : undefined
  const order = await emitOrder(tx, row, 'created', shown)
  if (!draft.isImported && !isForLater(row, at)) {
    await addDispatchJob(tx, row.id)
  }
  return { row, order }
}

/** Adds the job that dispatches the order, with retries after growing pauses. */
export function addDispatchJob({ db, environment }: RowScope, orderId: string): Promise<void> {
  return addJob(db, DISPATCH_ORDER, { environmentId: environment.id, orderId })
}

/** Returns whether an order is scheduled for a later day. */
function isForLater({ activate_by: date }: OrderRow, at: Date): boolean {
  return date !== null && date > at.toISOString().slice(0, 10)
}
