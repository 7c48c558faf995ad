import { invalidInput } from '@salus/kernel/errors'
import type { BookingRequest } from '../booking.schema.ts'

const TIMEOUTS = [
  'sync_confirmation_timeout_millisecond',
  'async_confirmation_timeout_millisecond',
] as const

/**
 * Checks a synchronous booking.
 * @throws InputError for fields that require an asynchronous booking at a site
 */
export function refuseAsyncFields(body: BookingRequest): void {
  const field = body.async_confirmation
    ? 'async_confirmation'
    : TIMEOUTS.find((name) => body[name] != null)
  if (field === undefined) return
  const msg = 'Requires async_confirmation, for an appointment at a site of a laboratory'
  throw invalidInput(['body', field], msg, 'extra_forbidden')
}
