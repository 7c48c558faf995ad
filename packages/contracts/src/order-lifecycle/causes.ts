/** Scans of a parcel that couriers report. */
export const SCANS = [
  'in_transit',
  'out_for_delivery',
  'delivered',
  'exception',
  'not_deliverable',
  'lost',
] as const
export type Scan = (typeof SCANS)[number]

/** Direction of a parcel: to the patient, or back to the laboratory. */
export const DIRECTIONS = ['outbound', 'inbound'] as const
export type Direction = (typeof DIRECTIONS)[number]

/**
 * Causes of transitions, with their words for people: an update from a gateway, a result, or a
 * command of the API or the operator. No status ends by time alone.
 */
export const CAUSES = {
  requisition_accepted: { by: 'update', meaning: 'laboratory accepted the requisition' },
  fulfillment_failed: { by: 'update', meaning: 'kit vendor could not supply the kit' },
  'outbound in_transit': { by: 'update', meaning: 'courier: kit on its way' },
  'outbound out_for_delivery': { by: 'update', meaning: 'courier: kit out for delivery' },
  'outbound delivered': { by: 'update', meaning: 'courier: kit delivered' },
  'outbound exception': { by: 'update', meaning: 'courier: exception on the way out' },
  'outbound not_deliverable': { by: 'update', meaning: 'courier: kit not deliverable' },
  'outbound lost': { by: 'update', meaning: 'courier: kit lost' },
  'inbound in_transit': { by: 'update', meaning: 'courier: sample on its way' },
  'inbound exception': { by: 'update', meaning: 'courier: exception on the way back' },
  'inbound not_deliverable': { by: 'update', meaning: 'courier: sample not deliverable' },
  'inbound lost': { by: 'update', meaning: 'courier: sample lost' },
  sample_received: { by: 'update', meaning: 'laboratory received the kit' },
  processing_blocked: { by: 'update', meaning: 'laboratory waits for data' },
  processing_resumed: { by: 'update', meaning: 'laboratory goes on' },
  sample_error: { by: 'update', meaning: 'laboratory could not process the sample' },
  sample_lost: { by: 'update', meaning: 'laboratory lost the sample' },
  cancelled_by_lab: { by: 'update', meaning: 'laboratory cancelled the order' },
  do_not_process: { by: 'update', meaning: 'operator: the laboratory must not process the kit' },
  appointment_pending: { by: 'update', meaning: 'appointment requested, or moved' },
  appointment_scheduled: { by: 'update', meaning: 'appointment confirmed' },
  appointment_cancelled: { by: 'update', meaning: 'appointment cancelled' },
  draw_completed: { by: 'update', meaning: 'specimen collected' },
  partial_result: { by: 'result', meaning: 'laboratory sent a partial result' },
  final_result: { by: 'result', meaning: 'laboratory sent the final result' },
  final_result_with_gaps: {
    by: 'result',
    meaning: 'final result lacks markers by fault of the laboratory',
  },
  corrected_result: { by: 'result', meaning: 'laboratory sent a corrected result' },
  import_order: { by: 'command', meaning: 'imported' },
  order_kit: { by: 'command', meaning: 'ordered without a patient' },
  register_kit: { by: 'command', meaning: 'kit registered' },
  complete_draw: { by: 'command', meaning: 'collection reported by the customer' },
  cancel_order: { by: 'command', meaning: 'order cancelled' },
} as const satisfies Record<string, { by: 'update' | 'result' | 'command'; meaning: string }>

export type Cause = keyof typeof CAUSES

/** Causes of one kind. */
export type CauseBy<By extends 'update' | 'result' | 'command'> = {
  [C in Cause]: (typeof CAUSES)[C]['by'] extends By ? C : never
}[Cause]

/** Updates that are not about a parcel. */
export type PlainUpdate = Exclude<CauseBy<'update'>, `${Direction} ${Scan}`>

/** Whether others caused it: an update or a result, not a command. */
export function isFromOutside(cause: Cause): cause is CauseBy<'update' | 'result'> {
  return CAUSES[cause].by !== 'command'
}
