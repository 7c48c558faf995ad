import type { Db } from '../../../platform/postgres/database.ts'

const DAY_MS = 86_400_000
/** Of slots that are over, and of appointments without one. The time of a sandbox is never behind. */
const SLOT_DAYS = 30
const BOOKING_DAYS = 120

/** Forgets what providers of sandboxes need not know any more. */
export async function removeOldSlots(db: Db, now: Date): Promise<void> {
  const slotsBefore = new Date(now.getTime() - SLOT_DAYS * DAY_MS)
  const bookingsBefore = new Date(now.getTime() - BOOKING_DAYS * DAY_MS)
  await db
    .deleteFrom('sandbox_bookings')
    .where((where) =>
      where.or([
        where('start_at', '<', slotsBefore),
        where.and([where('start_at', 'is', null), where('created_at', '<', bookingsBefore)]),
      ]),
    )
    .execute()
  await db.deleteFrom('sandbox_slots').where('start_at', '<', slotsBefore).execute()
}
