import type { CollectionMethod } from '../catalog/index.ts'

/** What contract 12 lists for a method: its dotted statuses, and each transition as `from to`. */
export interface ContractLifecycle {
  statuses: string
  transitions: string
}

/** Contract 12, written down a second time by hand, so that the tables have something to be held against. */
export const CONTRACT_LIFECYCLES: Record<CollectionMethod, ContractLifecycle> = {
  walk_in_test: {
    statuses: `
      received.walk_in_test.ordered
      received.walk_in_test.requisition_created
      received.walk_in_test.requisition_bypassed
      completed.walk_in_test.completed
      sample_with_lab.walk_in_test.partial_results
      failed.walk_in_test.sample_error
      cancelled.walk_in_test.cancelled
      collecting_sample.walk_in_test.appointment_pending
      collecting_sample.walk_in_test.appointment_scheduled
      collecting_sample.walk_in_test.appointment_cancelled
      collecting_sample.walk_in_test.redraw_available
      completed.walk_in_test.corrected
    `,
    transitions: `
      ordered requisition_created
      ordered requisition_bypassed
      requisition_created appointment_pending
      requisition_bypassed appointment_pending
      appointment_pending appointment_scheduled
      appointment_scheduled appointment_pending
      appointment_pending appointment_cancelled
      appointment_scheduled appointment_cancelled
      appointment_cancelled appointment_pending
      requisition_created partial_results
      requisition_bypassed partial_results
      appointment_scheduled partial_results
      appointment_pending partial_results
      appointment_cancelled partial_results
      partial_results partial_results
      appointment_scheduled completed
      partial_results completed
      requisition_created completed
      requisition_bypassed completed
      appointment_pending completed
      appointment_cancelled completed
      requisition_created redraw_available
      requisition_bypassed redraw_available
      appointment_pending redraw_available
      appointment_scheduled redraw_available
      appointment_cancelled redraw_available
      partial_results redraw_available
      requisition_created sample_error
      requisition_bypassed sample_error
      appointment_pending sample_error
      appointment_scheduled sample_error
      appointment_cancelled sample_error
      partial_results sample_error
      completed corrected
      corrected corrected
      ordered cancelled
      requisition_created cancelled
      requisition_bypassed cancelled
      appointment_pending cancelled
      appointment_scheduled cancelled
      appointment_cancelled cancelled
    `,
  },
  at_home_phlebotomy: {
    statuses: `
      received.at_home_phlebotomy.ordered
      received.at_home_phlebotomy.requisition_created
      received.at_home_phlebotomy.requisition_bypassed
      collecting_sample.at_home_phlebotomy.appointment_pending
      collecting_sample.at_home_phlebotomy.appointment_scheduled
      collecting_sample.at_home_phlebotomy.draw_completed
      collecting_sample.at_home_phlebotomy.appointment_cancelled
      completed.at_home_phlebotomy.completed
      sample_with_lab.at_home_phlebotomy.partial_results
      cancelled.at_home_phlebotomy.cancelled
      failed.at_home_phlebotomy.sample_error
      completed.at_home_phlebotomy.corrected
    `,
    transitions: `
      ordered requisition_created
      ordered requisition_bypassed
      requisition_created appointment_pending
      requisition_bypassed appointment_pending
      appointment_pending appointment_scheduled
      appointment_scheduled appointment_scheduled
      appointment_pending appointment_cancelled
      appointment_scheduled appointment_cancelled
      appointment_cancelled appointment_pending
      appointment_cancelled appointment_scheduled
      appointment_scheduled draw_completed
      draw_completed partial_results
      appointment_scheduled partial_results
      partial_results partial_results
      draw_completed completed
      partial_results completed
      appointment_scheduled completed
      draw_completed sample_error
      partial_results sample_error
      completed corrected
      corrected corrected
      ordered cancelled
      requisition_created cancelled
      requisition_bypassed cancelled
      appointment_pending cancelled
      appointment_scheduled cancelled
      appointment_cancelled cancelled
      draw_completed cancelled
    `,
  },
  on_site_collection: {
    statuses: `
      received.on_site_collection.ordered
      received.on_site_collection.requisition_created
      received.on_site_collection.requisition_bypassed
      sample_with_lab.on_site_collection.draw_completed
      completed.on_site_collection.completed
      cancelled.on_site_collection.cancelled
      sample_with_lab.on_site_collection.partial_results
      failed.on_site_collection.sample_error
      completed.on_site_collection.corrected
    `,
    transitions: `
      ordered requisition_created
      ordered requisition_bypassed
      requisition_created draw_completed
      requisition_bypassed draw_completed
      draw_completed partial_results
      requisition_created partial_results
      requisition_bypassed partial_results
      partial_results partial_results
      draw_completed completed
      partial_results completed
      requisition_created completed
      requisition_bypassed completed
      draw_completed sample_error
      partial_results sample_error
      completed corrected
      corrected corrected
      ordered cancelled
      requisition_created cancelled
      requisition_bypassed cancelled
      draw_completed cancelled
    `,
  },
  testkit: {
    statuses: `
      received.testkit.ordered
      received.testkit.awaiting_registration
      received.testkit.requisition_created
      received.testkit.requisition_bypassed
      received.testkit.registered
      collecting_sample.testkit.transit_customer
      collecting_sample.testkit.out_for_delivery
      collecting_sample.testkit.with_customer
      collecting_sample.testkit.transit_lab
      sample_with_lab.testkit.delivered_to_lab
      sample_with_lab.testkit.lab_processing_blocked
      completed.testkit.completed
      failed.testkit.failure_to_deliver_to_customer
      failed.testkit.failure_to_deliver_to_lab
      failed.testkit.sample_error
      failed.testkit.lost
      cancelled.testkit.cancelled
      cancelled.testkit.do_not_process
      collecting_sample.testkit.problem_in_transit_customer
      collecting_sample.testkit.problem_in_transit_lab
      completed.testkit.corrected
    `,
    transitions: `
      ordered requisition_created
      ordered requisition_bypassed
      ordered awaiting_registration
      requisition_created transit_customer
      awaiting_registration transit_customer
      requisition_bypassed transit_customer
      transit_customer out_for_delivery
      out_for_delivery with_customer
      transit_customer with_customer
      problem_in_transit_customer with_customer
      transit_customer problem_in_transit_customer
      out_for_delivery problem_in_transit_customer
      problem_in_transit_customer transit_customer
      problem_in_transit_customer out_for_delivery
      transit_customer failure_to_deliver_to_customer
      out_for_delivery failure_to_deliver_to_customer
      problem_in_transit_customer failure_to_deliver_to_customer
      with_customer registered
      awaiting_registration registered
      transit_customer registered
      out_for_delivery registered
      problem_in_transit_customer registered
      registered requisition_created
      with_customer transit_lab
      requisition_created transit_lab
      requisition_bypassed transit_lab
      transit_lab problem_in_transit_lab
      problem_in_transit_lab transit_lab
      transit_lab delivered_to_lab
      with_customer delivered_to_lab
      requisition_created delivered_to_lab
      requisition_bypassed delivered_to_lab
      problem_in_transit_lab delivered_to_lab
      transit_lab failure_to_deliver_to_lab
      problem_in_transit_lab failure_to_deliver_to_lab
      transit_customer lost
      out_for_delivery lost
      problem_in_transit_customer lost
      transit_lab lost
      problem_in_transit_lab lost
      delivered_to_lab lost
      delivered_to_lab lab_processing_blocked
      lab_processing_blocked lab_processing_blocked
      lab_processing_blocked delivered_to_lab
      delivered_to_lab sample_error
      lab_processing_blocked sample_error
      delivered_to_lab completed
      lab_processing_blocked completed
      completed corrected
      corrected corrected
      ordered cancelled
      awaiting_registration cancelled
      requisition_created cancelled
      requisition_bypassed cancelled
      registered cancelled
      with_customer do_not_process
      transit_lab do_not_process
      problem_in_transit_lab do_not_process
      delivered_to_lab do_not_process
      lab_processing_blocked do_not_process
    `,
  },
}
