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

/** A seat, or a visit whose time is to be set later. */
export type Wanted = Pick<Booking, 'seat' | 'now'>

/**
 * What shall go wrong with an appointment, as its notes ask for it
 * (docs/sandbox.md#the-sandbox-of-appointments).
 */
type Wish =
  | { kind: 'taken' | 'refused' | 'silent' | 'lost' | 'declined' }
  /** It is taken at once and answered as much later. */
  | { kind: 'slow'; milliseconds: number }

const WISH = /\[sandbox: (?:(taken|refused|silent|lost|declined)|slow (\d{1,6})(s|m|h))\]/
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 }

/** A call never waits longer for an answer, milliseconds. */
const LONGEST_WAIT_MS = 30_000
/**
 * A booking that was only held is confirmed, or one declined, so much later in the time of the
 * sandbox.
 */
const ANSWERED_AFTER_MS = 5 * MINUTE_MS

/**
 * What a provider says to a visit, with what goes wrong on the way.
 * @param choose finds what the visit is to have
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
  const taken = await store.take(visit, { ...wanted, later: laterAnswer(wanted, isHeld, wish) })
  if (taken.state === 'full') return { state: 'slot_unavailable' }
  if (taken.state === 'cancelled') return { state: 'refused' }
  if (wish?.kind === 'lost' && taken.isNew) throw new ProviderUnavailable()
  if (wish?.kind === 'slow') {
    const passed = wanted.now.getTime() - taken.since.getTime()
    await wait(wish.milliseconds - passed, signal)
  }
  return { state: 'booked', ...bookingNumbers(provider, visit.appointmentId), isHeld }
}

/** The first wish that the notes of an appointment hold; undefined where all goes well. */
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

/** @throws ProviderUnavailable when nobody waits any more, or it takes too long */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds <= 0) return
  try {
    await sleep(Math.min(milliseconds, LONGEST_WAIT_MS), undefined, signal && { signal })
  } catch (cause) {
    throw new ProviderUnavailable({ cause })
  }
  if (milliseconds > LONGEST_WAIT_MS) throw new ProviderUnavailable()
}
