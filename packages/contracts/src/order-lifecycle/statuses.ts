/** How the specimen of an order is collected (docs/contract/10-labs-and-tests.md). */
export const COLLECTION_METHODS = [
  'testkit',
  'walk_in_test',
  'at_home_phlebotomy',
  'on_site_collection',
] as const
export type CollectionMethod = (typeof COLLECTION_METHODS)[number]

/**
 * Low-level statuses of orders (docs/contract/12-order-lifecycle.md#status-form), in the order in
 * which it lists them.
 */
export const LOW_LEVEL_STATUSES = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'transit_customer',
  'out_for_delivery',
  'with_customer',
  'transit_lab',
  'delivered_to_lab',
  'completed',
  'failure_to_deliver_to_lab',
  'failure_to_deliver_to_customer',
  'problem_in_transit_lab',
  'problem_in_transit_customer',
  'sample_error',
  'appointment_scheduled',
  'appointment_cancelled',
  'appointment_pending',
  'draw_completed',
  'cancelled',
  'lost',
  'do_not_process',
  'partial_results',
  'awaiting_registration',
  'registered',
  'redraw_available',
  'corrected',
  'lab_processing_blocked',
] as const
export type LowLevelStatus = (typeof LOW_LEVEL_STATUSES)[number]

/** Top-level statuses: the groups of low-level ones. */
export const GROUPS = [
  'received',
  'collecting_sample',
  'sample_with_lab',
  'completed',
  'cancelled',
  'failed',
] as const
export type Group = (typeof GROUPS)[number]

/** Statuses before the specimen or kit is sent. */
export const BEFORE_HANDING_OVER: readonly LowLevelStatus[] = [
  'ordered',
  'awaiting_registration',
  'registered',
]

/**
 * Why a sample was rejected, or why a laboratory waits
 * (docs/contract/12-order-lifecycle.md#status_detail).
 */
export const STATUS_DETAILS = [
  'fulfillment_error',
  'date_of_collection_unspecified',
  'demographic_information_unspecified',
  'demographic_information_mismatch',
  'sample_quantity_not_sufficient',
  'sample_contaminated',
  'sample_stability_exceeded',
  'sample_hemolyzed',
  'sample_improper_collection',
] as const
export type StatusDetail = (typeof STATUS_DETAILS)[number]
