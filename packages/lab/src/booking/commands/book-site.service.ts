import {
  APPOINTMENT_PROVIDERS,
  SCHEDULING_PROVIDERS,
  type SchedulingGateway,
} from '@salus/contracts/lab-gateway'
import type { StoreAnswer } from '@salus/kernel/idempotency/idempotent-request'
import { addJob } from '@salus/kernel/jobs/jobs'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import type { Appointment } from '../../appointments/index.ts'
import { findLab, findLabBySlug, type LabRow } from '../../catalog/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import type { BookingRequest } from '../booking.schema.ts'
import { CONTINUE_BOOKING } from '../booking-job.ts'
import type { BookingParts } from '../booking-parts.ts'
import {
  appointmentExists,
  invalidBookingKey,
  type LockedOrder,
  labNotSchedulable,
  lockOrderForNewAppointment,
  requireBookable,
  requireFutureSlot,
  requisitionDeadline,
} from '../booking-rules.ts'
import { locateSite, type MeetingPoint } from '../visits.ts'
import { refuseAsyncFields } from './async-fields.ts'
import { type KeyedBooking, readBookingKey } from './read-booking-key.ts'
import {
  type BookingPlan,
  concludeAttempt,
  type RequestedBooking,
  refuseUnanswered,
  requestBooking,
} from './request-booking.service.ts'
import { storeBooking } from './store-booking.service.ts'

const SYNC_TIMEOUT_MS = 2500
const ASYNC_TIMEOUT_MS = 900_000

/**
 * Books a slot at a site of the order's laboratory
 * (docs/contract/14-appointments-and-psc.md#post-v3orderorder_idpscappointmentbook).
 * @param storeAnswer stores the response under the idempotency key of the request
 * @throws AppError of the table "Errors" there
 */
export async function bookSite(
  scope: Scope,
  parts: BookingParts,
  orderId: string,
  body: BookingRequest,
  storeAnswer?: StoreAnswer,
): Promise<Appointment> {
  const { async_confirmation: isAsync, sync_confirmation_timeout_millisecond: syncMs } = body
  if (!isAsync) refuseAsyncFields(body)
  const requested = await requestBooking(scope, parts, {
    planBooking: (tx) => planSiteBooking(tx, parts, orderId, body),
    refuseBusy: appointmentExists,
    limitMs: isAsync ? (syncMs ?? SYNC_TIMEOUT_MS) : undefined,
  })
  if (requested.booked === undefined && !isAsync) return refuseUnanswered(scope, requested)
  return concludeAttempt(scope, requested, async (tx, locked) => {
    const appointment = await storeSiteBooking(tx, locked, requested, body)
    await storeAnswer?.(tx, appointment)
    return appointment
  })
}

async function planSiteBooking(
  tx: TransactionScope,
  parts: BookingParts,
  orderId: string,
  { booking_key: key, appointment_notes: notes = null }: BookingRequest,
): Promise<BookingPlan> {
  const locking = lockOrderForNewAppointment(tx, orderId, 'patient_service_center')
  const keyed = beginReads(tx, parts, key)
  const locked = await locking
  const { order } = locked
  const ofLab = await findGatewayOfLab(tx, parts, order, await keyed.lab)
  requireBookable(tx, locked)
  const { gateway, slot } = keyed.read()
  if (gateway.provider !== ofLab.provider) throw invalidBookingKey()
  const point = await (keyed.point ?? locateSite(tx, slot.provider, slot.location))
  const now = environmentNow(tx)
  requireFutureSlot(slot.start, now)
  requisitionDeadline(order, slot.start, now)
  return { order, gateway, slot, point, notes }
}

/** Stores the appointment. A job continues a booking that the laboratory has not answered. */
async function storeSiteBooking(
  tx: TransactionScope,
  locked: LockedOrder,
  requested: RequestedBooking,
  { async_confirmation_timeout_millisecond: asyncMs }: BookingRequest,
): Promise<Appointment> {
  if (requested.booked !== undefined) return (await storeBooking(tx, locked, requested)).appointment
  const confirmBy = new Date(environmentNow(tx).getTime() + (asyncMs ?? ASYNC_TIMEOUT_MS))
  const { row, appointment } = await storeBooking(tx, locked, requested, confirmBy)
  const job = { environmentId: tx.environment.id, appointmentId: row.id }
  await addJob(tx.db, CONTINUE_BOOKING, job)
  return appointment
}

interface BegunReads {
  /** Reads the key. @throws AppError 400 `invalid_booking_key` */
  read: () => KeyedBooking
  /** The laboratory and the site of a valid key. */
  lab?: Promise<LabRow | undefined>
  point?: Promise<MeetingPoint>
}

/**
 * Begins to read what a booking key names, so that the statements share a round trip with those
 * that lock the order. A check that fails first does not wait for them.
 */
function beginReads(tx: TransactionScope, parts: BookingParts, key: string): BegunReads {
  const read = () => readBookingKey(tx, parts, key, 'patient_service_center')
  let slot: KeyedBooking['slot']
  try {
    slot = read().slot
  } catch {
    // Other refusals come first.
    return { read }
  }
  const lab = findLabBySlug(tx.db, SCHEDULING_PROVIDERS[slot.provider].labSlug ?? '')
  const point = locateSite(tx, slot.provider, slot.location)
  for (const begun of [lab, point]) begun.catch(() => undefined)
  return { read, lab, point }
}

/**
 * Returns the gateway of the order's laboratory.
 * @param likely the laboratory of the booking key
 * @throws AppError 400 `lab_not_schedulable`
 */
async function findGatewayOfLab(
  tx: TransactionScope,
  { scheduling }: BookingParts,
  { lab_id: labId }: OrderRow,
  likely: LabRow | undefined,
): Promise<SchedulingGateway> {
  const lab = likely?.id === labId ? likely : await findLab(tx.db, labId)
  const provider = APPOINTMENT_PROVIDERS.find(
    (name) => lab !== undefined && SCHEDULING_PROVIDERS[name].labSlug === lab.slug,
  )
  const gateway = provider && scheduling.find(tx.environment.kind, provider)
  if (gateway === undefined) throw labNotSchedulable()
  return gateway
}
