import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AppointmentProvider,
  type Booking,
  type BookingAnswer,
  ProviderUnavailable,
  SCHEDULING_PROVIDERS,
  type SlotStore,
  type Visit,
} from '@salus/contracts/lab-gateway'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { bookingNumbers } from './booking-numbers.ts'

/** A seat, or a visit whose time is set later. */
export type Wanted = Pick<Booking, 'seat' | 'now'>

/** Fault of an appointment that its notes request (docs/sandbox.md#the-sandbox-of-appointments). */
type Wish =
  | { kind: 'taken' | 'refused' | 'silent' | 'lost' | 'declined' }
  /** It is booked at once and answered this much later. */
  | { kind: 'slow'; milliseconds: number }

const WISH = /\[sandbox: (?:(taken|refused|silent|lost|declined)|slow (\d{1,6})(s|m|h))\]/
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 }

/** Maximum time that a call waits for an answer, in milliseconds. */
const LONGEST_WAIT_MS = 30_000
/** Time of the sandbox after which a held booking is confirmed, or one declined. */
const ANSWERED_AFTER_MS = 5 * MINUTE_MS

/**
 * Answers a visit as a provider does, with its fault.
 * @param choose Finds the time of the visit.
 * @throws ProviderUnavailable
 */
export async function answerVisit(
  provider: AppointmentProvider,
  store: SlotStore,
  visit: Visit,
  signal: AbortSignal | undefined,
  choose: () => Promise<Wanted | 'refused' | 'slot_unavailable'>,
): Promise<BookingAnswer> {
  const wish = readWish(visit.notes)
  if (wish?.kind === 'silent') return beSilent(signal)
  if (wish?.kind === 'refused') return { state: 'refused' }
  const wanted = wish?.kind === 'taken' ? 'slot_unavailable' : await choose()
  if (typeof wanted === 'string') return { state: wanted }
  const isHeld = SCHEDULING_PROVIDERS[provider].confirmsLater
  const taken = await store.takeSeat(visit, { ...wanted, later: laterAnswer(wanted, isHeld, wish) })
  if (taken.state === 'full') return { state: 'slot_unavailable' }
  if (taken.state === 'cancelled') return { state: 'refused' }
  if (wish?.kind === 'lost' && taken.isNew) throw new ProviderUnavailable()
  if (wish?.kind === 'slow') {
    const passed = wanted.now.getTime() - taken.since.getTime()
    await wait(wish.milliseconds - passed, signal)
  }
  return { state: 'booked', ...bookingNumbers(provider, visit.appointmentId), isHeld }
}

/** Returns the first fault in the notes of an appointment; undefined where there is none. */
function readWish(notes: string | null): Wish | undefined {
  const [, kind, count, unit] = WISH.exec(notes ?? '') ?? []
  if (kind !== undefined) return { kind: kind as 'taken' }
  if (count === undefined) return undefined
  return { kind: 'slow', milliseconds: Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS] }
}

/** A held slot is confirmed; the time of a request is set only when its order is simulated. */
function laterAnswer(
  { seat, now }: Wanted,
  isHeld: boolean,
  wish: Wish | undefined,
): Booking['later'] {
  const at = new Date(now.getTime() + ANSWERED_AFTER_MS)
  if (wish?.kind === 'declined') return { at, kind: 'appointment_cancelled' }
  return seat !== null && isHeld ? { at, kind: 'appointment_scheduled' } : null
}

async function beSilent(signal: AbortSignal | undefined): Promise<never> {
  await wait(LONGEST_WAIT_MS, signal)
  throw new ProviderUnavailable()
}

/** @throws ProviderUnavailable when the caller no longer waits, or it takes too long */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return
  try {
    await sleep(Math.min(milliseconds, LONGEST_WAIT_MS), undefined, signal && { signal })
  } catch (cause) {
    throw new ProviderUnavailable({ cause })
  }
  if (milliseconds > LONGEST_WAIT_MS) throw new ProviderUnavailable()
}
