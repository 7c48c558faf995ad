import { DAY_MS } from '@salus/contracts/time-units'
import type { Stores } from '@salus/kernel/scope'
import {
  listUnknownBookings,
  removeCancelledBooking,
  removeSlots,
} from './sandbox-slots.global.repository.ts'
import { createSlotStore } from './slot-store.ts'

/** A booking gets its appointment within this time. */
const UNKNOWN_DAYS = 1
/** Slots are deleted by real time, because sandboxes are never behind it. */
const SLOT_DAYS = 30
const MOST_AT_ONCE = 1000

/** Deletes bookings without an appointment, which frees their seats, and past slots. */
export async function deleteOldBookings(
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  const store = createSlotStore(db)
  for (let isDone = false; !isDone && !signal.aborted; ) {
    const bookings = await listUnknownBookings(db, daysAgo(UNKNOWN_DAYS), MOST_AT_ONCE)
    for (const booking of bookings) {
      await store.cancel(booking)
      await removeCancelledBooking(db, booking)
    }
    isDone = bookings.length < MOST_AT_ONCE
  }
  await removeSlots(db, daysAgo(SLOT_DAYS))
}
