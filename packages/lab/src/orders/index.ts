export { moveOrderWithAppointment } from './appointments/move-order-with-appointment.service.ts'
export { cancelLockedOrder, cancelOrder, mayCancel } from './commands/order-commands.service.ts'
export { type OrderJob, REMATCH_RESULTS } from './dispatch/dispatch-job.ts'
export { applyLateAnswer } from './dispatch/late-answer.service.ts'
export {
  findOrderByNumber,
  type LabNumber,
  listMarkersOfPlacers,
  listNumbersOfOrder,
  listOrdersByNumber,
  recordNumbers,
} from './dispatch/order-numbers.repository.ts'
export { makeRequisition } from './dispatch/requisition.service.ts'
export { listOrderDocuments, type OrderDocument } from './documents/order-documents.service.ts'
export { listInsuranceImages, SEALED_INSURANCE_IMAGES } from './insurance/insurance-images.ts'
export { OrderFilters } from './listing/order-filters.schema.ts'
export { countOpenOrders, countOrdersByDay } from './order-counts.repository.ts'
export { OrderCreate } from './order-requests.schema.ts'
export { ORDER_EVENTS } from './orders.events.ts'
export {
  countOpenOrdersByMarker,
  isSampleIdTaken,
  STUCK_REASONS,
} from './orders.global.repository.ts'
export { orderJobs } from './orders.jobs.ts'
export {
  findOrder,
  findOrderBySampleId,
  listOrderRows,
  listOrdersOfTransaction,
  listOrdersOfUser,
  lockOrder,
  type OrderRow,
} from './orders.repository.ts'
export { registerOrderRoutes } from './orders.routes.ts'
export { Order, OrderTransaction } from './orders.schema.ts'
export type { LabNumberKind } from './orders.tables.ts'
export { listTestsOfUser } from './orders-of-users.repository.ts'
export { ordersOfUsers } from './orders-of-users.service.ts'
export { createFollowingOrder } from './placing/following-order.service.ts'
export { createOrderForResult } from './placing/order-of-result.service.ts'
export { placeOrder } from './placing/place-order.service.ts'
export {
  findUserOfOrder,
  getOrderRow,
  getOrderTransaction,
  requireOrderOf,
  requireOrderTransactionOf,
  showOrder,
} from './show-orders.service.ts'
export { countStuckOrders } from './stuck/stuck-orders.repository.ts'
export { registerStuckOrderRoutes } from './stuck/stuck-orders.routes.ts'
export {
  applyUpdate,
  SampleIdTaken,
} from './transitions/apply-update.service.ts'
export {
  emitOrder,
  mayTransition,
  type OrderTransition,
  type ResultChanges,
  readOrderFacts,
  recordResult,
  transitionOrder,
  type UpdateEffect,
} from './transitions/transition-order.service.ts'
