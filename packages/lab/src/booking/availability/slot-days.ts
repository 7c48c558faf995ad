import type { AppointmentProvider, OfferedSlot } from '@salus/contracts/lab-gateway'
import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest, invalidInput } from '@salus/kernel/errors'
import { dateAtOffset, formatInstant, startOfUtcDay } from '@salus/kernel/time/instants'
import type { TimeSlot } from '../booking.schema.ts'
import { type BookingKeys, endOfKey } from '../booking-key.ts'

/** Number of local days in a response (docs/contract/14-appointments-and-psc.md#limits). */
export const AVAILABLE_DAYS = 14
const MOST_DAYS_AHEAD = 366

/** Returns the calendar date that is `days` after `date`. */
export const laterDate = (date: string, days: number): string =>
  dateAtOffset(startOfUtcDay(date) + days * DAY_MS, 0)

/**
 * Returns the first day of the response.
 * @param today local date at the slots
 * @throws AppError 400 `start_date_in_past`; 422 for a date more than a year ahead
 */
export function toStartDate(asked: string | null | undefined, today: string): string {
  const date = asked ?? today
  if (date < today) throw badRequest('start_date_in_past', 'The start_date is before today.')
  if (date > laterDate(today, MOST_DAYS_AHEAD)) {
    throw invalidInput(
      ['query', 'start_date'],
      'The date is more than a year away',
      'date_too_late',
    )
  }
  return date
}

/** Returns the wire object of a slot. It has a booking key while seats are left. */
export function toTimeSlot(
  { start, end, priceCents, isPriority, available }: OfferedSlot,
  sold: { keys: BookingKeys; provider: AppointmentProvider; location: string; now: Date },
): TimeSlot {
  const { keys, provider, location, now } = sold
  const expiresAt = available > 0 ? endOfKey(now) : null
  return {
    booking_key: expiresAt && keys.sign({ provider, start, end, location }, expiresAt),
    start: formatInstant(start),
    end: formatInstant(end),
    expires_at: expiresAt && formatInstant(expiresAt),
    price: priceCents,
    is_priority: isPriority,
    num_appointments_available: available,
  }
}
