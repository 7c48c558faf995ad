export { cancelRow } from './changing/cancel-order.service.ts'
export {
  cancelAtLab,
  type DispatchContext,
  dispatchOrder,
  type FindGateway,
} from './dispatch/dispatch-order.service.ts'
export { makeRequisition } from './dispatch/requisition.service.ts'
export { foldOrderCounts } from './listing/fold-order-counts.repository.ts'
export {
  allowedMoves,
  isTerminal,
  type OrderFacts,
  orderStatus,
  transitionsOf,
} from './machine/machine.ts'
export { LOW_LEVEL_STATUSES, type LowLevelStatus } from './machine/statuses.ts'
export { MACHINES, type Transition } from './machine/transitions.ts'
export {
  type Move,
  mayMove,
  moveOrder,
  noteResult,
  orderFacts,
  type ResultChanges,
  tellOrder,
} from './moving/move-order.service.ts'
export { applyNews, type NewsEffect, SampleIdTaken } from './news/apply-news.service.ts'
export type { StatusNews } from './news/news-moves.ts'
export type { OrdersContext } from './orders.context.ts'
export { ORDER_EVENTS } from './orders.events.ts'
export { orderJobs } from './orders.jobs.ts'
export {
  findOrder,
  findOrderBySampleId,
  isSampleIdTaken,
  listOrderRows,
  listOrdersOfTransaction,
  lockOrder,
  type OrderRow,
} from './orders.repository.ts'
export { registerOrderRoutes } from './orders.routes.ts'
export { Order, OrderTransaction } from './orders.schema.ts'
export { ordersOfUsers } from './orders-of-users.service.ts'
export { makeFollowingOrder } from './placing/following-order.service.ts'
export { makeOrderOfResult } from './placing/order-of-result.service.ts'
export { placeOrder } from './placing/place-order.service.ts'
export { getOrderRow, getOrderTransaction, showOrder } from './reading/show-orders.service.ts'
export { registerStuckOrderRoutes } from './stuck/stuck-orders.routes.ts'
