import { badRequest } from '../../../platform/errors.ts'
import { environmentNow } from '../../../platform/scope.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import type { OrdersContext } from '../orders.context.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { moveOrder } from '../transitions/move-order.service.ts'
import { answerOrder } from './answer-order.ts'
import { changeOrder } from './change-order.ts'

/** Notes the draw that the customer did. @throws AppError 404; 400 `wrong_collection_method` */
export function completeDraw(context: OrdersContext, orderId: string): Promise<PostOrderResponse> {
  return changeOrder(context, orderId, async (transaction, row) => {
    if (row.method !== 'on_site_collection') {
      throw badRequest('wrong_collection_method', 'Only samples drawn on site are reported so.')
    }
    const at = environmentNow(context)
    const changes = { collected_on: dateAtOffset(at.getTime(), 0) }
    const moved = await moveOrder(context, transaction, row, { to: 'draw_completed', at, changes })
    return answerOrder(context, transaction, moved, 'Draw completed.')
  })
}
