import { badRequest } from '../../../platform/errors.ts'
import { environmentNow } from '../../../platform/scope.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import type { OrdersContext } from '../orders.context.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { transitionOrder } from '../transitions/transition-order.service.ts'
import { answerOrder, commandOrder } from './command-order.ts'

/** Notes the collection that the customer did. @throws AppError 404; 400 `wrong_collection_method` */
export function completeDraw(context: OrdersContext, orderId: string): Promise<PostOrderResponse> {
  return commandOrder(context, orderId, async (tx, row) => {
    if (row.method !== 'on_site_collection') {
      throw badRequest('wrong_collection_method', 'Only samples drawn on site are reported so.')
    }
    const at = environmentNow(tx)
    const changes = { collected_on: dateAtOffset(at.getTime(), 0) }
    const changed = await transitionOrder(tx, row, { to: 'draw_completed', at, changes })
    return answerOrder(tx, changed, 'Draw completed.')
  })
}
