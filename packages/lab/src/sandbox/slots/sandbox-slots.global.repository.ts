import type { BookingReference } from '@salus/contracts/lab-gateway'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

const isOfNoAppointment = sql<boolean>`not exists (
  select from appointments
  where appointments.environment_id = sandbox_bookings.environment_id
    and appointments.id = sandbox_bookings.appointment_id
)`

/**
 * Bookings from before of which there is no appointment: none came of them, or its person was
 * erased.
 */
export function listUnknownBookings(
  db: Db,
  before: Date,
  limit: number,
): Promise<BookingReference[]> {
  return db
    .selectFrom('sandbox_bookings')
    .select(['environment_id as environmentId', 'appointment_id as appointmentId'])
    .where('created_at', '<', before)
    .where(isOfNoAppointment)
    .limit(limit)
    .execute()
}

/** Removes a cancelled booking, which holds no seat. */
export async function removeCancelledBooking(
  db: Db,
  { environmentId, appointmentId }: BookingReference,
): Promise<void> {
  await db
    .deleteFrom('sandbox_bookings')
    .where('environment_id', '=', environmentId)
    .where('appointment_id', '=', appointmentId)
    .where('is_cancelled', '=', true)
    .execute()
}

/** Removes slots that are over; what is booked of them keeps its row. */
export async function removeSlots(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sandbox_slots').where('start_at', '<', before).execute()
}
