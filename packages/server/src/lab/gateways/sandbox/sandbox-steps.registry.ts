import type { Scan } from '../lab-news.ts'
import type { Requisition } from '../requisition.ts'

/** The low-level statuses of contract 12. */
export type ScriptStatus =
  | 'ordered'
  | 'requisition_created'
  | 'requisition_bypassed'
  | 'transit_customer'
  | 'out_for_delivery'
  | 'with_customer'
  | 'transit_lab'
  | 'delivered_to_lab'
  | 'completed'
  | 'failure_to_deliver_to_lab'
  | 'failure_to_deliver_to_customer'
  | 'problem_in_transit_lab'
  | 'problem_in_transit_customer'
  | 'sample_error'
  | 'appointment_scheduled'
  | 'appointment_cancelled'
  | 'appointment_pending'
  | 'draw_completed'
  | 'cancelled'
  | 'lost'
  | 'do_not_process'
  | 'partial_results'
  | 'awaiting_registration'
  | 'registered'
  | 'redraw_available'
  | 'corrected'
  | 'lab_processing_blocked'

export type ScriptMethod = Requisition['method']

/** Who says what. `api` is a move that only a call of the API makes. */
export type Cause =
  | 'api'
  | 'requisition_accepted'
  | 'kit_dispatched'
  | 'sample_received'
  | 'processing_blocked'
  | 'processing_resumed'
  | 'sample_error'
  | 'sample_lost'
  | 'do_not_process'
  | 'appointment_pending'
  | 'appointment_scheduled'
  | 'appointment_cancelled'
  | 'draw_completed'
  | 'partial_report'
  | 'final_report'
  | 'report_with_gaps'
  | 'corrected_report'
  | `outbound ${Scan}`
  | `inbound ${Scan}`

/** Moves from each of some statuses to one, with their cause. */
export type Moves = readonly [from: string, to: ScriptStatus, cause: Cause]

const READY = 'requisition_created requisition_bypassed'
const ACCEPTED: Moves = ['ordered', 'requisition_created', 'requisition_accepted']
const IMPORTED: Moves = ['ordered', 'requisition_bypassed', 'api']
const CORRECTED: Moves = ['completed corrected', 'corrected', 'corrected_report']

const WALK_IN_OPEN = `${READY} appointment_pending appointment_scheduled appointment_cancelled`
const OUTBOUND = 'transit_customer out_for_delivery problem_in_transit_customer'
const INBOUND = 'transit_lab problem_in_transit_lab'
const AT_LAB = 'delivered_to_lab lab_processing_blocked'

/** Every move of contract 12, by method. Statuses are separated by blanks. */
export const MOVES: Record<ScriptMethod, readonly Moves[]> = {
  walk_in_test: [
    ACCEPTED,
    IMPORTED,
    [READY, 'appointment_pending', 'appointment_pending'],
    ['appointment_pending', 'appointment_scheduled', 'appointment_scheduled'],
    ['appointment_scheduled', 'appointment_pending', 'appointment_pending'],
    ['appointment_pending appointment_scheduled', 'appointment_cancelled', 'appointment_cancelled'],
    ['appointment_cancelled', 'appointment_pending', 'appointment_pending'],
    [`${WALK_IN_OPEN} partial_results`, 'partial_results', 'partial_report'],
    [`${WALK_IN_OPEN} partial_results`, 'completed', 'final_report'],
    [`${WALK_IN_OPEN} partial_results`, 'redraw_available', 'report_with_gaps'],
    [`${WALK_IN_OPEN} partial_results`, 'sample_error', 'sample_error'],
    CORRECTED,
    [`ordered ${WALK_IN_OPEN}`, 'cancelled', 'api'],
  ],
  at_home_phlebotomy: [
    ACCEPTED,
    IMPORTED,
    [`${READY} appointment_cancelled`, 'appointment_pending', 'appointment_pending'],
    [
      'appointment_pending appointment_scheduled appointment_cancelled',
      'appointment_scheduled',
      'appointment_scheduled',
    ],
    ['appointment_pending appointment_scheduled', 'appointment_cancelled', 'appointment_cancelled'],
    ['appointment_scheduled', 'draw_completed', 'draw_completed'],
    ['draw_completed appointment_scheduled partial_results', 'partial_results', 'partial_report'],
    ['draw_completed appointment_scheduled partial_results', 'completed', 'final_report'],
    ['draw_completed partial_results', 'sample_error', 'sample_error'],
    CORRECTED,
    [`ordered ${WALK_IN_OPEN} draw_completed`, 'cancelled', 'api'],
  ],
  on_site_collection: [
    ACCEPTED,
    IMPORTED,
    // In life a call of the API; in a sandbox whoever draws the blood says so.
    [READY, 'draw_completed', 'draw_completed'],
    [`${READY} draw_completed partial_results`, 'partial_results', 'partial_report'],
    [`${READY} draw_completed partial_results`, 'completed', 'final_report'],
    ['draw_completed partial_results', 'sample_error', 'sample_error'],
    CORRECTED,
    [`ordered ${READY} draw_completed`, 'cancelled', 'api'],
  ],
  testkit: [
    ACCEPTED,
    IMPORTED,
    ['ordered', 'awaiting_registration', 'api'],
    ['awaiting_registration', 'transit_customer', 'kit_dispatched'],
    [`${READY} problem_in_transit_customer`, 'transit_customer', 'outbound in_transit'],
    [
      'transit_customer problem_in_transit_customer',
      'out_for_delivery',
      'outbound out_for_delivery',
    ],
    [OUTBOUND, 'with_customer', 'outbound delivered'],
    ['transit_customer out_for_delivery', 'problem_in_transit_customer', 'outbound exception'],
    [OUTBOUND, 'failure_to_deliver_to_customer', 'outbound not_deliverable'],
    [OUTBOUND, 'lost', 'outbound lost'],
    [`with_customer awaiting_registration ${OUTBOUND}`, 'registered', 'api'],
    ['registered', 'requisition_created', 'requisition_accepted'],
    [`with_customer ${READY} problem_in_transit_lab`, 'transit_lab', 'inbound in_transit'],
    ['transit_lab', 'problem_in_transit_lab', 'inbound exception'],
    [`with_customer ${READY} ${INBOUND}`, 'delivered_to_lab', 'sample_received'],
    [INBOUND, 'failure_to_deliver_to_lab', 'inbound not_deliverable'],
    [INBOUND, 'lost', 'inbound lost'],
    ['delivered_to_lab', 'lost', 'sample_lost'],
    [AT_LAB, 'lab_processing_blocked', 'processing_blocked'],
    ['lab_processing_blocked', 'delivered_to_lab', 'processing_resumed'],
    [AT_LAB, 'sample_error', 'sample_error'],
    [AT_LAB, 'completed', 'final_report'],
    CORRECTED,
    [`ordered awaiting_registration ${READY} registered`, 'cancelled', 'api'],
    [`with_customer ${INBOUND} ${AT_LAB}`, 'do_not_process', 'do_not_process'],
  ],
}
