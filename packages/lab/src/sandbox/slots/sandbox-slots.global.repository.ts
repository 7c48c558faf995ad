import type { BookingReference } from '@salus/contracts/lab-gateway'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

const isOfNoAppointment = sql<boolean>`not exists (
  select from appointments
  where appointments.environment_id = sandbox_bookings.environment_id
    and appointments.id = sandbox_bookings.appointment_id
)`

/** Returns old bookings without an appointment: they failed, or their person was erased. */
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

/** Deletes a cancelled booking, which has no seat. */
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

/** Deletes past slots; their bookings keep their rows. */
export async function removeSlots(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sandbox_slots').where('start_at', '<', before).execute()
}
