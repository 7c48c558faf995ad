import type {
  CauseBy,
  OrderReference,
  OrderUpdate,
  ResultMessage,
  SimulatedOccurrence,
  StatusDetail,
} from '@salus/contracts/lab-gateway'
import { inboundParcel, outboundParcel } from './couriers.ts'
import type { VisitTime } from './visit-time.ts'

/** State of an order, as the outside world knows it, when an update happens. */
export interface Situation {
  order: OrderReference & { orderId: string }
  /** ISO 8601. */
  at: string
  detail: StatusDetail | null
  /** Number of the requisition, or number on the kit. */
  sampleId: string
  /** Whether that number was not reported yet. */
  isNewSampleId: boolean
  /** The active appointment, with the time that its provider sets, if any. */
  appointment: { id: string; time: VisitTime | null } | null
}

/** Kind of report of each result; `mustLack` some results, or as many as were requested. */
export const REPORTS: Record<
  CauseBy<'result'>,
  { status: ResultMessage['status']; mustLack: boolean }
> = {
  partial_result: { status: 'partial', mustLack: false },
  final_result: { status: 'final', mustLack: false },
  final_result_with_gaps: { status: 'final', mustLack: true },
  corrected_result: { status: 'corrected', mustLack: false },
}

export const isResult = (cause: SimulatedOccurrence['cause']): cause is CauseBy<'result'> =>
  cause in REPORTS

/**
 * Returns the updates that laboratory, couriers, kit vendor and phlebotomists send for a
 * transition, in order.
 */
export function updatesFor(
  cause: Exclude<SimulatedOccurrence['cause'], CauseBy<'result'>>,
  situation: Situation,
): OrderUpdate[] {
  const { order, at, detail, sampleId, isNewSampleId, appointment } = situation
  const about = { order, at }
  const named = appointment && { appointmentId: appointment.id }
  const scanned = (direction: 'outbound' | 'inbound', scan: ScanUpdate['scan']): OrderUpdate => {
    const parcel = (direction === 'outbound' ? outboundParcel : inboundParcel)(order.orderId)
    return { kind: 'scan', ...about, direction, scan, ...parcel }
  }
  const [direction, scan] = cause.split(' ') as [ScanUpdate['direction'], ScanUpdate['scan']?]
  if (scan !== undefined) {
    // The vendor reports which kit it dispatches.
    const isDispatch = isNewSampleId && cause === 'outbound in_transit'
    const dispatch: OrderUpdate[] = [{ kind: 'kit_dispatched', ...about, sampleId }]
    return [...(isDispatch ? dispatch : []), scanned(direction, scan)]
  }
  // The other causes need only their kind, or one more field.
  const kind = cause as Exclude<typeof cause, `${ScanUpdate['direction']} ${string}`>
  switch (kind) {
    case 'requisition_accepted':
      return [{ kind, ...about, sampleId }]
    case 'sample_received':
      return [scanned('inbound', 'delivered'), { kind, ...about }]
    case 'processing_blocked':
    case 'sample_error':
      return [{ kind, ...about, detail }]
    case 'appointment_pending':
    case 'appointment_in_progress':
      return [{ kind, ...about, ...named }]
    case 'appointment_scheduled':
      return [{ kind, ...about, ...named, ...appointment?.time }]
    case 'appointment_cancelled':
      return [{ kind, ...about, ...named }]
    default:
      return [{ kind, ...about }]
  }
}

type ScanUpdate = Extract<OrderUpdate, { kind: 'scan' }>
