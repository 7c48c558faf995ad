import { badRequest } from '../../../platform/errors.ts'
import { environmentNow } from '../../../platform/scope.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import type { OrdersContext } from '../orders.context.ts'
import { updateOrder } from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { activateByInPast } from '../placing/prepare-order.service.ts'
import { addDispatchJob } from '../placing/store-order.service.ts'
import { changedAt } from '../transitions/transition-order.service.ts'
import { answerOrder, commandOrder } from './command-order.ts'

/**
 * Gives a scheduled order another date; today or none has it handed over at once.
 * @throws AppError 404; 400 `order_not_modifiable`, `order_not_scheduled`, `activate_by_in_past`
 */
export function rescheduleOrder(
  context: OrdersContext,
  orderId: string,
  activateBy: string | null,
): Promise<PostOrderResponse> {
  return commandOrder(context, orderId, async (tx, row) => {
    const at = environmentNow(tx)
    const today = dateAtOffset(at.getTime(), 0)
    const isWaiting = row.last_status === 'ordered' || row.last_status === 'awaiting_registration'
    if (!isWaiting) throw notModifiable()
    if (!row.is_scheduled) {
      throw badRequest('order_not_scheduled', 'The order was placed to be processed at once.')
    }
    if (row.dispatched_at !== null) throw notModifiable()
    if (activateBy !== null && activateBy < today) throw activateByInPast()
    const changes = {
      activate_by: activateBy,
      dispatch_failed_at: null,
      dispatch_problem: null,
      updated_at: changedAt(tx, row, at),
    }
    const changed = await updateOrder(tx.db, row.environment_id, row.id, changes)
    if (activateBy === null || activateBy === today) {
      await addDispatchJob(tx.db, row.environment_id, row.id)
    }
    return answerOrder(tx, changed, 'Order updated.')
  })
}

const notModifiable = () => badRequest('order_not_modifiable', 'The order was handed over already.')
