import { causeOfUpdate, isAppointmentUpdate, type StatusUpdate } from '@salus/contracts/lab-gateway'
import {
  type Cause,
  type LowLevelStatus,
  type Scan,
  type StatusDetail,
  statusAfterCause,
} from '@salus/contracts/order-lifecycle'
import type { TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { applyUpdateToAppointment } from '../appointments/apply-to-appointment.service.ts'
import { confirmByRequisition } from '../appointments/move-order-with-appointment.service.ts'
import {
  NO_CANCEL_PROBLEM,
  NO_DISPATCH_PROBLEM,
  recordRefusal,
} from '../dispatch/record-failure.service.ts'
import { findLastEvent } from '../order-events.repository.ts'
import { isSampleIdTaken } from '../orders.global.repository.ts'
import { type OrderChanges, type OrderRow, updateOrder } from '../orders.repository.ts'
import {
  listShipments,
  type ShipmentChanges,
  type ShipmentRow,
  updateShipment,
} from '../shipments.repository.ts'
import { endStuckTask } from '../stuck/stuck-tasks.service.ts'
import {
  type AppliedUpdate,
  changedAt,
  laterOf,
  readOrderFacts,
  transitionOrder,
} from './transition-order.service.ts'

/** Thrown when the laboratory gives a sample an id that it uses for another one. */
export class SampleIdTaken extends Error {
  constructor() {
    super('The laboratory used the sample id of another order.')
    this.name = 'SampleIdTaken'
  }
}

/** The inbound scan of a shipment when the laboratory has the kit, by any carrier. */
const RECEIVED = 'received'

/**
 * Applies an update of a laboratory, courier, kit vendor or phlebotomist to a locked order in the
 * open transaction. The state machine gives the new status; an update that the order cannot follow
 * is ignored (docs/contract/12-order-lifecycle.md#rules-for-every-method), because feeds repeat,
 * skip and delay updates.
 * @throws SampleIdTaken when it gives the sample the id of another order
 */
export async function applyUpdate(
  tx: TransactionScope,
  row: OrderRow,
  update: StatusUpdate,
  at: Date,
): Promise<AppliedUpdate> {
  await requireOwnNumber(tx, row, update)
  const applied =
    isAppointmentUpdate(update) && (await applyUpdateToAppointment(tx, row, update, at))
  if (applied) return applied
  const answered = await recordAnswer(tx, row, update)
  if (answered) return answered
  const shipment = await recordShipment(tx, row, update, at)
  const isLate = shipment !== undefined && at < shipment.updated_at
  const cause = causeOfUpdate(update)
  const to = cause && statusAfterCause(await readOrderFacts(tx, row), cause)
  const detail = detailOf(update)
  const isOld = isLate && update.kind === 'scan' && isSuperseded(row.last_status, update.scan)
  if (to === undefined || isOld || (await isRepeated(tx, row, { to, detail, at }))) {
    const changed = await recordShown(tx, row, update, at, shipment !== undefined)
    return { row: changed, effect: shipment || changed !== row ? 'shown' : 'ignored' }
  }
  const changes = changesOf(row, update, at, to)
  const changed = await transitionOrder(tx, row, { to, detail, at, changes })
  if (to !== 'requisition_created') return { row: changed, effect: 'transitioned' }
  const confirmed = await confirmByRequisition(tx, changed, at)
  return { row: await advanceReturnedKit(tx, confirmed, at), effect: 'transitioned' }
}

/**
 * Records a refused requisition, and the late cancellation of an order that was cancelled here.
 * Undefined for other updates.
 */
async function recordAnswer(
  tx: TransactionScope,
  row: OrderRow,
  update: StatusUpdate,
): Promise<AppliedUpdate | undefined> {
  if (update.kind === 'requisition_refused') {
    const { code, location, order } = update
    const refused = await recordRefusal(tx, row, { code, location, labSlug: order.labSlug })
    return refused ? { row: refused, effect: 'shown' } : { row, effect: 'ignored' }
  }
  if (update.kind !== 'cancelled_by_lab' || row.cancel_failed_at === null) return undefined
  await endStuckTask(tx, row)
  return { row: await updateOrder(tx, row.id, NO_CANCEL_PROBLEM), effect: 'shown' }
}

function detailOf(update: StatusUpdate): StatusDetail | null {
  if (update.kind === 'fulfillment_failed') return 'fulfillment_error'
  return 'detail' in update ? update.detail : null
}

/** Checks that no other order has the sample id. @throws SampleIdTaken */
async function requireOwnNumber(
  { db }: TransactionScope,
  row: OrderRow,
  update: StatusUpdate,
): Promise<void> {
  if (row.sample_id !== null || !('sampleId' in update) || update.sampleId === null) return
  const isTaken = await isSampleIdTaken(db, row.lab_id, update.sampleId, row.id)
  if (isTaken) throw new SampleIdTaken()
}

/**
 * Returns whether an update only repeats the current status: with the same reason, or about the
 * same appointment.
 */
async function isRepeated(
  tx: TransactionScope,
  row: OrderRow,
  { to, detail, at }: { to: LowLevelStatus; detail: StatusDetail | null; at: Date },
): Promise<boolean> {
  if (to !== row.last_status) return false
  const last = await findLastEvent(tx, row.id)
  if (to === 'appointment_scheduled') return at <= row.last_status_at
  return last?.status_detail === detail
}

/**
 * Returns whether a later scan of the parcel has superseded this one: in transit before an
 * exception, or an exception before it moved on.
 */
function isSuperseded(status: LowLevelStatus, scan: Scan): boolean {
  const isInTrouble = status.startsWith('problem_in_transit')
  return isInTrouble ? scan === 'in_transit' || scan === 'out_for_delivery' : scan === 'exception'
}

function changesOf(row: OrderRow, update: StatusUpdate, at: Date, to: LowLevelStatus) {
  const changes: OrderChanges = {}
  if (update.kind === 'requisition_accepted') {
    changes.sample_id = row.sample_id ?? update.sampleId
    changes.requisition_at = at
    changes.dispatched_at = row.dispatched_at ?? at
    // A laboratory may accept after all, as when it corrected its catalog.
    Object.assign(changes, NO_DISPATCH_PROBLEM)
  }
  if (to === 'draw_completed') changes.collected_on = dateAtOffset(at.getTime(), 0)
  return changes
}

/** Stores what an update says about the parcel. Returns the former shipment if anything changed. */
async function recordShipment(
  tx: TransactionScope,
  row: OrderRow,
  update: StatusUpdate,
  at: Date,
): Promise<ShipmentRow | undefined> {
  const changes = row.method === 'testkit' ? shipmentChanges(update) : null
  if (changes === null) return undefined
  const [shipment] = await listShipments(tx, [row.id])
  // The laboratory's receipt is more reliable than the couriers' scans.
  if (shipment?.inbound_scan === RECEIVED) delete changes.inbound_scan
  const updatedAt = laterOf(at, shipment?.updated_at ?? at)
  await updateShipment(tx, row.id, { ...changes, updated_at: updatedAt })
  return shipment
}

/** A parcel as its scans, and the dispatch of its kit, name it. */
type NamedParcel = Pick<
  Extract<StatusUpdate, { kind: 'scan' }>,
  'direction' | 'courier' | 'trackingNumber' | 'trackingUrl'
>

function shipmentChanges(update: StatusUpdate): ShipmentChanges | null {
  if (update.kind === 'sample_received') return { inbound_scan: RECEIVED }
  if (update.kind === 'kit_dispatched' && update.parcels?.length) {
    return Object.assign({}, ...update.parcels.map(parcelChanges))
  }
  if (update.kind !== 'scan') return null
  return { ...parcelChanges(update), [`${update.direction}_scan`]: update.scan }
}

function parcelChanges({
  direction,
  courier,
  trackingNumber,
  trackingUrl,
}: NamedParcel): ShipmentChanges {
  return {
    [`${direction}_courier`]: courier,
    [`${direction}_tracking_number`]: trackingNumber,
    [`${direction}_tracking_url`]: trackingUrl,
  }
}

/**
 * Stores changes that are shown without a transition: the parcel, and the sample id, by which a kit
 * is registered later. They emit no event; the next event shows them.
 */
async function recordShown(
  tx: TransactionScope,
  row: OrderRow,
  update: StatusUpdate,
  at: Date,
  isOfParcel: boolean,
): Promise<OrderRow> {
  const sampleId = row.sample_id ?? numberToldBy(update, row)
  if (!isOfParcel && sampleId === row.sample_id) return row
  const changes = { sample_id: sampleId, updated_at: changedAt(tx, row, at) }
  return updateOrder(tx, row.id, changes)
}

function numberToldBy(update: StatusUpdate, { method }: OrderRow): string | null {
  const isOfKit = update.kind === 'kit_dispatched' && method === 'testkit'
  return isOfKit || update.kind === 'requisition_accepted' ? update.sampleId : null
}

/**
 * Moves a kit that was returned before its registration to the status of its sample
 * (docs/contract/12-order-lifecycle.md#testkit).
 */
async function advanceReturnedKit(
  tx: TransactionScope,
  row: OrderRow,
  at: Date,
): Promise<OrderRow> {
  if (!row.is_unregistered_kit) return row
  const [shipment] = await listShipments(tx, [row.id])
  const scan = shipment?.inbound_scan ?? null
  if (scan === null) return row
  if (scan === RECEIVED) return transitionOrder(tx, row, { to: 'delivered_to_lab', at })
  const returned = await transitionOrder(tx, row, { to: 'transit_lab', at })
  const to = statusAfterCause(await readOrderFacts(tx, returned), `inbound ${scan}` as Cause)
  return to === undefined ? returned : transitionOrder(tx, returned, { to, at })
}
