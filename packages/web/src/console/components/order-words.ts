/**
 * How a status looks: reached well, waiting for somebody, ended badly, or just one of the steps.
 */
export type OrderTone = 'good' | 'warning' | 'bad' | 'neutral' | 'info'

interface StatusWords {
  label: string
  tone: OrderTone
}

/** Every low-level status in plain words (docs/contract/12-order-lifecycle.md#status-form). */
const STATUSES: Readonly<Record<string, StatusWords>> = {
  ordered: { label: 'Ordered', tone: 'info' },
  awaiting_registration: { label: 'Kit waits to be registered', tone: 'warning' },
  registered: { label: 'Kit registered', tone: 'info' },
  requisition_created: { label: 'Accepted by the laboratory', tone: 'info' },
  requisition_bypassed: { label: 'Taken over from elsewhere', tone: 'info' },
  transit_customer: { label: 'Kit on its way to the person', tone: 'info' },
  out_for_delivery: { label: 'Kit out for delivery', tone: 'info' },
  problem_in_transit_customer: { label: 'Problem on the way to the person', tone: 'warning' },
  failure_to_deliver_to_customer: { label: 'Kit could not be delivered', tone: 'bad' },
  with_customer: { label: 'Kit with the person', tone: 'info' },
  transit_lab: { label: 'Sample on its way to the laboratory', tone: 'info' },
  problem_in_transit_lab: { label: 'Problem on the way to the laboratory', tone: 'warning' },
  failure_to_deliver_to_lab: { label: 'Sample never reached the laboratory', tone: 'bad' },
  delivered_to_lab: { label: 'Sample at the laboratory', tone: 'info' },
  lab_processing_blocked: { label: 'Laboratory waits for information', tone: 'warning' },
  appointment_pending: { label: 'Appointment asked for', tone: 'info' },
  appointment_scheduled: { label: 'Appointment confirmed', tone: 'info' },
  appointment_cancelled: { label: 'Appointment cancelled', tone: 'warning' },
  draw_completed: { label: 'Sample collected', tone: 'info' },
  partial_results: { label: 'First results are in', tone: 'info' },
  redraw_available: { label: 'A new sample is needed', tone: 'warning' },
  completed: { label: 'Results complete', tone: 'good' },
  corrected: { label: 'Results corrected', tone: 'good' },
  sample_error: { label: 'Sample could not be tested', tone: 'bad' },
  lost: { label: 'Lost', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  do_not_process: { label: 'Withdrawn from the laboratory', tone: 'bad' },
}

/**
 * Why a sample was no good, or what a laboratory waits for
 * (docs/contract/12-order-lifecycle.md#status_detail).
 */
const DETAILS: Readonly<Record<string, string>> = {
  fulfillment_error: 'The kit could not be supplied.',
  date_of_collection_unspecified: 'The day of collection is missing.',
  demographic_information_unspecified: 'Name, birth date or sex of the patient is missing.',
  demographic_information_mismatch: 'The sample and the order name different patients.',
  sample_quantity_not_sufficient: 'There was too little of the sample.',
  sample_contaminated: 'The sample was contaminated.',
  sample_stability_exceeded: 'The sample was too old.',
  sample_hemolyzed: 'The blood cells in the sample were broken.',
  sample_improper_collection: 'The sample was collected the wrong way.',
}

const METHODS: Readonly<Record<string, string>> = {
  walk_in_test: 'Walk-in',
  at_home_phlebotomy: 'Phlebotomist at home',
  on_site_collection: 'Collected on site',
  testkit: 'Test kit',
}

/** A status of a newer server is still readable. */
const readable = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/**
 * Returns the low-level part of a dotted status, such as `completed` of
 * `completed.walk_in_test.completed`.
 */
export const lowLevelStatus = (status: string): string => status.slice(status.lastIndexOf('.') + 1)

/** Returns the label and the tone of a status, dotted or low-level. */
export function describeOrderStatus(status: string): StatusWords {
  const name = lowLevelStatus(status)
  return STATUSES[name] ?? { label: humanizeName(name), tone: 'neutral' }
}

/** Describes a `status_detail` in a sentence. */
export const describeStatusDetail = (detail: string): string => DETAILS[detail] ?? humanizeName(detail)

/** Describes how the sample of an order is collected. */
export const describeMethod = (method: string): string => METHODS[method] ?? humanizeName(method)
