import {
  allowedTransitions,
  CAUSES,
  type Cause,
  isTerminal,
  MACHINES,
  orderStatus,
} from '@salus/contracts/order-lifecycle'
import type { Scope } from '@salus/kernel/scope'
import { findReplacement } from '../orders.repository.ts'
import { getOrderRow } from '../show-orders.service.ts'
import { orderFacts } from '../transitions/transition-order.service.ts'
import { rescheduleRefusal } from './order-commands.service.ts'
import type { PossibleTransitions } from './possible-transitions.schema.ts'

/**
 * Returns the possible transitions of an order by the same state machine and guards that decide
 * about it.
 * @throws AppError 404
 */
export async function showPossibleTransitions(
  scope: Scope,
  orderId: string,
): Promise<PossibleTransitions> {
  const row = await getOrderRow(scope, orderId)
  const { method, last_status: status } = row
  const transitions = allowedTransitions(await orderFacts(scope, row))
  const isCausedBy = (cause: Cause) => transitions.some(({ causes }) => causes.includes(cause))
  return {
    order_id: row.id,
    low_level_status: status,
    is_final: isTerminal(status),
    transitions: transitions.map(({ to, causes }) => ({
      to,
      status: orderStatus(method, to),
      causes: causes.map((cause) => ({ cause, ...CAUSES[cause] })),
    })),
    usual_path: [...MACHINES[method].successPath],
    can: {
      cancel: isCausedBy('cancel_order'),
      reschedule: rescheduleRefusal(row) === undefined,
      complete_draw: isCausedBy('complete_draw'),
      register_kit: isCausedBy('register_kit'),
      replace: (await findReplacement(scope, row.id)) === undefined,
    },
  }
}
