import type { OrderFilters } from '@salus/sdk'

export type OrderStatus = NonNullable<OrderFilters['status']>[number]

/** Tone of a status: a good end, a wait for someone, a bad end, or an ordinary step. */
export type OrderTone = 'good' | 'warning' | 'bad' | 'neutral' | 'info'

/** Titles of the stages of the track of an order. */
export const STAGE_TITLES = {
  ordered: 'Ordered',
  registered: 'Registered',
  accepted: 'Accepted',
  appointment: 'Appointment',
  collected: 'Collected',
  kit_sent: 'Kit sent',
  with_person: 'With the person',
  sent_back: 'Sent back',
  at_laboratory: 'At the laboratory',
  first_results: 'First results',
  results: 'Results',
} as const

export type StageName = keyof typeof STAGE_TITLES

/** Groups of statuses in the filter of the list of orders. */
export const FILTER_GROUPS = {
  received: 'Received',
  collecting: 'Collecting the sample',
  laboratory: 'At the laboratory',
  results: 'Results',
  ended: 'Ended without results',
} as const

interface StatusRow {
  label: string
  tone: OrderTone
  /** Stage of the track; `end` where the order ends before its results. */
  stage: StageName | 'end'
  filter: keyof typeof FILTER_GROUPS
  /** Whether the order can still go on. */
  isOpen?: true
  /** Whether the order has results that can be read. */
  hasResults?: true
  /** Whether an appointment can be booked (docs/contract/14-appointments-and-psc.md#errors). */
  canBook?: true
  /** Whether a kit can be registered (docs/contract/12-order-lifecycle.md). */
  canRegister?: true
}

const openAt = (stage: StageName, filter: StatusRow['filter'], label: string): StatusRow => ({
  label,
  tone: 'info',
  stage,
  filter,
  isOpen: true,
})
const endedAs = (tone: OrderTone, label: string): StatusRow => ({
  label,
  tone,
  stage: 'end',
  filter: 'ended',
})
const doneAs = (label: string): StatusRow => ({
  label,
  tone: 'good',
  stage: 'results',
  filter: 'results',
  hasResults: true,
})
const PROBLEM = { tone: 'warning' } as const
const BOOKABLE = { canBook: true } as const
const REGISTRABLE = { canRegister: true } as const

/**
 * Every low-level status (docs/contract/12-order-lifecycle.md#status-form), in the order of the
 * filter. The compiler names a status that has no row.
 */
export const ORDER_STATUSES: Readonly<Record<OrderStatus, StatusRow>> = {
  ordered: { ...openAt('ordered', 'received', 'Ordered'), ...BOOKABLE },
  awaiting_registration: {
    ...openAt('ordered', 'received', 'Kit waits to be registered'),
    ...PROBLEM,
    ...REGISTRABLE,
  },
  registered: openAt('registered', 'received', 'Kit registered'),
  requisition_created: {
    ...openAt('accepted', 'received', 'Accepted by the laboratory'),
    ...BOOKABLE,
  },
  requisition_bypassed: { ...openAt('accepted', 'received', 'Imported'), ...BOOKABLE },
  appointment_pending: openAt('appointment', 'collecting', 'Appointment requested'),
  appointment_scheduled: openAt('appointment', 'collecting', 'Appointment confirmed'),
  appointment_cancelled: {
    ...openAt('appointment', 'collecting', 'Appointment cancelled'),
    ...PROBLEM,
    ...BOOKABLE,
  },
  transit_customer: {
    ...openAt('kit_sent', 'collecting', 'Kit on its way to the person'),
    ...REGISTRABLE,
  },
  out_for_delivery: { ...openAt('kit_sent', 'collecting', 'Kit out for delivery'), ...REGISTRABLE },
  problem_in_transit_customer: {
    ...openAt('kit_sent', 'collecting', 'Problem on the way to the person'),
    ...PROBLEM,
    ...REGISTRABLE,
  },
  with_customer: { ...openAt('with_person', 'collecting', 'Kit with the person'), ...REGISTRABLE },
  transit_lab: openAt('sent_back', 'collecting', 'Sample on its way to the laboratory'),
  problem_in_transit_lab: {
    ...openAt('sent_back', 'collecting', 'Problem on the way to the laboratory'),
    ...PROBLEM,
  },
  draw_completed: openAt('collected', 'collecting', 'Sample collected'),
  redraw_available: {
    ...endedAs('warning', 'A new sample is needed'),
    filter: 'collecting',
    hasResults: true,
  },
  delivered_to_lab: openAt('at_laboratory', 'laboratory', 'Sample at the laboratory'),
  lab_processing_blocked: {
    ...openAt('at_laboratory', 'laboratory', 'Laboratory waits for information'),
    ...PROBLEM,
  },
  partial_results: {
    ...openAt('first_results', 'laboratory', 'First results available'),
    hasResults: true,
  },
  completed: doneAs('Results complete'),
  corrected: doneAs('Results corrected'),
  cancelled: endedAs('neutral', 'Cancelled'),
  do_not_process: endedAs('bad', 'Withdrawn from the laboratory'),
  sample_error: endedAs('bad', 'Sample could not be tested'),
  lost: endedAs('bad', 'Lost'),
  failure_to_deliver_to_customer: endedAs('bad', 'Kit could not be delivered'),
  failure_to_deliver_to_lab: endedAs('bad', 'Sample never reached the laboratory'),
}

const isOrderStatus = (name: string): name is OrderStatus => Object.hasOwn(ORDER_STATUSES, name)

/** Returns the statuses whose row satisfies a condition, in the order of the filter. */
export const listOrderStatuses = (holds: (row: StatusRow) => boolean): OrderStatus[] =>
  Object.keys(ORDER_STATUSES)
    .filter(isOrderStatus)
    .filter((status) => holds(ORDER_STATUSES[status]))

/** Returns the low-level part of a status: `completed` of `completed.walk_in_test.completed`. */
export const lowLevelStatus = (status: string): string => status.slice(status.lastIndexOf('.') + 1)

/**
 * Returns the row of a status, dotted or low-level; undefined for a status of a newer server.
 */
export function findOrderStatus(status: string): StatusRow | undefined {
  const name = lowLevelStatus(status)
  return isOrderStatus(name) ? ORDER_STATUSES[name] : undefined
}
