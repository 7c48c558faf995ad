import type { Db } from '../../../platform/postgres/database.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import type { Scan, StatusDetail } from '../../gateways/index.ts'
import { allowedMoves, type LowLevelStatus } from '../../lifecycle/index.ts'
import type { OrdersContext } from '../orders.context.ts'
import {
  isSampleIdTaken,
  type OrderChanges,
  type OrderRow,
  updateOrder,
} from '../orders.repository.ts'
import {
  listShipments,
  type ShipmentChanges,
  type ShipmentRow,
  updateShipment,
} from '../shipments.repository.ts'
import { changedAt, laterOf, moveOrder, orderFacts } from '../transitions/move-order.service.ts'
import { findLastEvent } from './last-event.repository.ts'
import { consequenceOf, type StatusNews, statusOfReturn } from './news-moves.ts'

/** `shown`: no status changed, but what is shown of the order did. */
export type NewsEffect = 'moved' | 'shown' | 'ignored'

/** The laboratory gave a sample a number under which it has another one already. */
export class SampleIdTaken extends Error {
  constructor() {
    super('The laboratory uses the number of another sample again.')
    this.name = 'SampleIdTaken'
  }
}

/** What a shipment notes when the laboratory has the kit, whoever brought it. */
const RECEIVED = 'received'

/**
 * Applies what a laboratory, courier or kit vendor tells to a locked order, in the caller's
 * transaction. News that the order cannot follow are ignored (contract 12, "Late news"): feeds repeat
 * themselves, skip and come late.
 * @throws SampleIdTaken when they give the sample a number that another order has
 */
export async function applyNews(
  context: OrdersContext,
  transaction: Db,
  row: OrderRow,
  news: StatusNews & { at: Date },
): Promise<{ row: OrderRow; effect: NewsEffect }> {
  await requireOwnNumber(transaction, row, news)
  const shipment = await noteShipment(transaction, row, news)
  const isLate = shipment !== undefined && news.at < shipment.updated_at
  const { candidates, detail } = consequenceOf(news)
  const allowed = allowedMoves(await orderFacts(transaction, row))
  const to = candidates.find(
    (status) => allowed.includes(status) && !isOutOfPlace(row, news, isLate),
  )
  if (to === undefined || (await isRepeated(transaction, row, { to, detail, at: news.at }))) {
    const changed = await noteShown(context, transaction, row, news, shipment !== undefined)
    return { row: changed, effect: shipment || changed !== row ? 'shown' : 'ignored' }
  }
  const move = { to, detail, at: news.at, changes: changesOf(row, news, to) }
  const moved = await moveOrder(context, transaction, row, move)
  const caughtUp =
    to === 'requisition_created' ? await catchUp(context, transaction, moved, news.at) : moved
  return { row: caughtUp, effect: 'moved' }
}

/** @throws SampleIdTaken */
async function requireOwnNumber(db: Db, row: OrderRow, news: StatusNews): Promise<void> {
  if (row.sample_id !== null || !('sampleId' in news) || news.sampleId === null) return
  const isTaken = await isSampleIdTaken(db, row.lab_id, news.sampleId, row.id)
  if (isTaken) throw new SampleIdTaken()
}

/**
 * Whether news only repeat the status that an order has: a reason that is the last one's, an
 * appointment that was told before.
 */
async function isRepeated(
  db: Db,
  row: OrderRow,
  { to, detail, at }: { to: LowLevelStatus; detail: StatusDetail | null; at: Date },
): Promise<boolean> {
  if (to !== row.last_status) return false
  const last = await findLastEvent(db, row.environment_id, row.id)
  if (to === 'appointment_scheduled') return at <= row.last_status_at
  return last?.status_detail === detail
}

/** News that mean another status than the one in which the order is, although it could follow them. */
function isOutOfPlace(row: OrderRow, news: StatusNews, isLate: boolean): boolean {
  const { method, last_status: status } = row
  switch (news.kind) {
    // A kit's first receipt is told in another way.
    case 'processing_resumed':
      return status !== 'lab_processing_blocked'
    case 'sample_received':
      return status === 'lab_processing_blocked'
    case 'fulfillment_failed':
      return method !== 'testkit'
    case 'scan':
      return isLate && isOvertaken(status, news.scan)
    default:
      return false
  }
}

/**
 * True for a scan that tells again of a parcel what a later one has told otherwise: that it was on
 * its way before it got into trouble, or in trouble before it went on.
 */
function isOvertaken(status: LowLevelStatus, scan: Scan): boolean {
  const isInTrouble = status.startsWith('problem_in_transit')
  return isInTrouble ? scan === 'in_transit' || scan === 'out_for_delivery' : scan === 'exception'
}

function changesOf(row: OrderRow, news: StatusNews & { at: Date }, to: LowLevelStatus) {
  const changes: OrderChanges = {}
  if (news.kind === 'requisition_accepted') {
    changes.sample_id = row.sample_id ?? news.sampleId
    changes.requisition_at = news.at
    changes.dispatched_at = row.dispatched_at ?? news.at
  }
  if (to === 'draw_completed') changes.collected_on = dateAtOffset(news.at.getTime(), 0)
  return changes
}

/** Writes what news tell of the parcel. Gives the shipment as it was, if anything was written. */
async function noteShipment(
  db: Db,
  row: OrderRow,
  news: StatusNews & { at: Date },
): Promise<ShipmentRow | undefined> {
  const changes = row.method === 'testkit' ? shipmentChanges(news) : null
  if (changes === null) return undefined
  const { environment_id: environmentId } = row
  const [shipment] = await listShipments(db, environmentId, [row.id])
  // No courier knows better than the laboratory that it has the sample.
  if (shipment?.inbound_scan === RECEIVED) delete changes.inbound_scan
  const updatedAt = laterOf(news.at, shipment?.updated_at ?? news.at)
  await updateShipment(db, environmentId, row.id, { ...changes, updated_at: updatedAt })
  return shipment
}

function shipmentChanges(news: StatusNews): ShipmentChanges | null {
  if (news.kind === 'sample_received') return { inbound_scan: RECEIVED }
  if (news.kind !== 'scan') return null
  const { courier, trackingNumber, trackingUrl, scan } = news
  return news.direction === 'outbound'
    ? {
        outbound_courier: courier,
        outbound_tracking_number: trackingNumber,
        outbound_tracking_url: trackingUrl,
        outbound_scan: scan,
      }
    : {
        inbound_courier: courier,
        inbound_tracking_number: trackingNumber,
        inbound_tracking_url: trackingUrl,
        inbound_scan: scan,
      }
}

/**
 * What is shown without a move: of the parcel, and the number of the sample, which for a kit is the one
 * under which it will be registered. It has no message of its own, as it is no event; the next one shows
 * it.
 */
async function noteShown(
  context: OrdersContext,
  transaction: Db,
  row: OrderRow,
  news: StatusNews & { at: Date },
  isOfParcel: boolean,
): Promise<OrderRow> {
  const sampleId = row.sample_id ?? numberToldBy(news, row)
  if (!isOfParcel && sampleId === row.sample_id) return row
  const changes = { sample_id: sampleId, updated_at: changedAt(context, row, news.at) }
  return updateOrder(transaction, row.environment_id, row.id, changes)
}

function numberToldBy(news: StatusNews, { method }: OrderRow): string | null {
  const isOfKit = news.kind === 'kit_dispatched' && method === 'testkit'
  return isOfKit || news.kind === 'requisition_accepted' ? news.sampleId : null
}

/** A kit that came back before it was registered goes on to where its sample is (contract 12). */
async function catchUp(
  context: OrdersContext,
  transaction: Db,
  row: OrderRow,
  at: Date,
): Promise<OrderRow> {
  if (!row.is_unregistered_kit) return row
  const [shipment] = await listShipments(transaction, row.environment_id, [row.id])
  const scan = shipment?.inbound_scan ?? null
  if (scan === null) return row
  if (scan === RECEIVED) return moveOrder(context, transaction, row, { to: 'delivered_to_lab', at })
  const returned = await moveOrder(context, transaction, row, { to: 'transit_lab', at })
  const to = statusOfReturn(scan)
  if (to === undefined || to === 'transit_lab') return returned
  return moveOrder(context, transaction, returned, { to, at })
}
