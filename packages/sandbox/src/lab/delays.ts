import type { LowLevelStatus } from '@salus/contracts/lab-gateway'
import { createRandom } from './seeded-random.ts'

type Hours = readonly [least: number, most: number]

/** Usual number of hours until an order reaches the status. */
const HOURS: Record<LowLevelStatus, Hours> = {
  ordered: [0, 0],
  requisition_created: [0.2, 0.6],
  requisition_bypassed: [0, 0],
  awaiting_registration: [0, 0],
  registered: [2, 48],
  transit_customer: [6, 24],
  out_for_delivery: [36, 72],
  with_customer: [3, 9],
  problem_in_transit_customer: [12, 36],
  failure_to_deliver_to_customer: [72, 168],
  transit_lab: [24, 96],
  problem_in_transit_lab: [12, 36],
  failure_to_deliver_to_lab: [72, 168],
  delivered_to_lab: [24, 60],
  lab_processing_blocked: [6, 30],
  do_not_process: [1, 10],
  lost: [120, 240],
  appointment_pending: [1, 12],
  appointment_scheduled: [0.2, 4],
  appointment_cancelled: [1, 24],
  draw_completed: [24, 96],
  partial_results: [18, 40],
  sample_error: [24, 60],
  redraw_available: [24, 72],
  completed: [24, 72],
  corrected: [24, 96],
  cancelled: [0.5, 4],
}

/** Exceptions that depend on the previous status. */
const HOURS_BY_TRANSITION: Partial<Record<`${LowLevelStatus} ${LowLevelStatus}`, Hours>> = {
  'problem_in_transit_customer transit_customer': [8, 30],
  'problem_in_transit_customer out_for_delivery': [8, 30],
  'problem_in_transit_customer with_customer': [12, 48],
  'transit_customer with_customer': [40, 80],
  'problem_in_transit_lab transit_lab': [8, 30],
  'with_customer delivered_to_lab': [60, 140],
  'lab_processing_blocked delivered_to_lab': [24, 72],
  // The patient has to find time to go there.
  'requisition_created completed': [48, 120],
  'requisition_bypassed completed': [48, 120],
  'requisition_created partial_results': [40, 96],
  'requisition_bypassed partial_results': [40, 96],
  'appointment_scheduled completed': [48, 120],
  'partial_results completed': [12, 48],
  'partial_results partial_results': [6, 24],
}

/** Returns the realistic duration of a transition in whole seconds; the same for the same seed. */
export function delaySeconds(
  { from, to }: { from: LowLevelStatus; to: LowLevelStatus },
  seed: string,
): number {
  const [least, most] = HOURS_BY_TRANSITION[`${from} ${to}`] ?? HOURS[to]
  return Math.round(createRandom(`${seed}|${from}|${to}|delay`).between(least, most) * 3600)
}
