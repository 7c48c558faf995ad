import {
  type AppointmentType,
  SCHEDULING_PROVIDERS,
  type SchedulingGateway,
} from '@salus/contracts/lab-gateway'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { BookingKeys, type KeyedSlot } from '../booking-key.ts'
import type { BookingParts } from '../booking-parts.ts'
import { invalidBookingKey } from '../booking-rules.ts'

export interface KeyedBooking {
  gateway: SchedulingGateway
  slot: KeyedSlot
}

/**
 * Returns the slot of a booking key and the gateway of its provider.
 * @throws AppError 400 `invalid_booking_key`, also for a key of the other type of appointment
 */
export function readBookingKey(
  scope: Scope,
  { scheduling, secrets }: BookingParts,
  key: string,
  type: AppointmentType,
): KeyedBooking {
  const keys = new BookingKeys(secrets, scope.environment.id)
  const slot = keys.read(key, environmentNow(scope))
  if (slot === undefined || SCHEDULING_PROVIDERS[slot.provider].type !== type) {
    throw invalidBookingKey()
  }
  const gateway = scheduling.find(scope.environment.kind, slot.provider)
  if (gateway === undefined) throw invalidBookingKey()
  return { gateway, slot }
}
