import { badRequest } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import { DISPATCH_ORDER } from '../dispatch/dispatch-job.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { Order } from '../orders.schema.ts'
import { insertShipment } from '../shipments.repository.ts'
import { showNewOrder } from '../show-orders.service.ts'
import { emitOrder, recomputeTransaction } from '../transitions/transition-order.service.ts'
import { insertNewOrder } from './new-orders.repository.ts'
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
  const isFirst = lineage.parentId === null
  const ids = { id: newId(), detailsId: newId() }
  const stored = await insertNewOrder(tx, toNewOrder(draft, lineage, ids, at), isFirst)
  if (stored === undefined) {
    throw badRequest('sample_id_taken', 'The laboratory has another order with this sample_id.')
  }
  const { row, event } = stored
  const shipment =
    row.method === 'testkit' ? await insertShipment(tx, { id: newId(), orderId: row.id, at }) : null
  if (draft.physician?.is_own) {
    await storePhysician(tx.db, teamId, draft.physician, at)
  }
  // A transaction that had ended becomes active again.
  if (!isFirst) await recomputeTransaction(tx, row, at)
  const { labTest, user } = draft
  const shown = isFirst ? await showNewOrder(tx, row, { event, shipment, labTest }) : undefined
  const isDue = !draft.isImported && !isForLater(row, at)
  const [order] = await Promise.all([
    emitOrder(tx, row, 'created', { shown, user }),
    isDue ? addDispatchJob(tx, row.id) : undefined,
  ])
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
