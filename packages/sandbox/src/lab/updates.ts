import type {
  CauseBy,
  Happening,
  LabReport,
  OrderReference,
  OrderUpdate,
  StatusDetail,
} from '@salus/contracts/lab-gateway'
import { inboundParcel, outboundParcel } from './couriers.ts'
import type { VisitTime } from './visit-time.ts'

/** What the outside world knows of an order when something happens to it. */
export interface Situation {
  order: OrderReference & { orderId: string }
  /** ISO 8601. */
  at: string
  detail: StatusDetail | null
  /** The requisition's number, or the number on the kit. */
  sampleId: string
  /** Nobody was told that number yet. */
  isNewSampleId: boolean
  /** The active appointment, with the time that its provider sets if it does. */
  appointment: { id: string; time: VisitTime | null } | null
}

/** Which report a result is; `mustLack` some results, or as many as was asked for. */
export const REPORTS: Record<
  CauseBy<'result'>,
  { status: LabReport['status']; mustLack: boolean }
> = {
  partial_result: { status: 'partial', mustLack: false },
  final_result: { status: 'final', mustLack: false },
  final_result_with_gaps: { status: 'final', mustLack: true },
  corrected_result: { status: 'corrected', mustLack: false },
}

export const isResult = (cause: Happening['cause']): cause is CauseBy<'result'> => cause in REPORTS

/**
 * What laboratory, couriers, kit vendor and phlebotomists say so that an update comes about, in
 * order.
 */
export function updatesFor(
  cause: Exclude<Happening['cause'], CauseBy<'result'>>,
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
    // The vendor says which kit it is that leaves.
    const isDispatch = isNewSampleId && cause === 'outbound in_transit'
    const dispatch: OrderUpdate[] = [{ kind: 'kit_dispatched', ...about, sampleId }]
    return [...(isDispatch ? dispatch : []), scanned(direction, scan)]
  }
  // What is left says all by its kind, or with one thing more.
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
