import { findOrderStatus, lowLevelStatus, type OrderTone } from './order-statuses.registry.ts'

/**
 * Reasons of a status: why a sample could not be used, or what a laboratory waits for
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
const humanizeName = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** Returns the label and the tone of a status, dotted or low-level. */
export function describeOrderStatus(status: string): { label: string; tone: OrderTone } {
  return findOrderStatus(status) ?? { label: humanizeName(lowLevelStatus(status)), tone: 'neutral' }
}

/** Describes a `status_detail` in a sentence. */
export const describeStatusDetail = (detail: string): string =>
  DETAILS[detail] ?? humanizeName(detail)

/** Describes how the sample of an order is collected. */
export const describeMethod = (method: string): string => METHODS[method] ?? humanizeName(method)
