import { setTimeout as sleep } from 'node:timers/promises'
import {
  APPOINTMENT_PROVIDERS,
  type AppointmentProvider,
  type Booking,
  type BookingAnswer,
  ProviderUnavailable,
  SCHEDULING_PROVIDERS,
  type SchedulingGateway,
  type SchedulingGateways,
  type Slot,
  type SlotDay,
  type SlotPlace,
  type SlotSearch,
  type SlotStore,
  type Visit,
} from '@salus/server/lab-gateway'
import { bookingNumbers } from './booking-numbers.ts'
import { listDates, startOfDay } from './opening-hours.ts'
import { type AreaFacts, servesArea } from './phlebotomy-areas.ts'
import { slotCalendar } from './slot-calendar.ts'
import { readWish, type Wish } from './wishes.ts'

interface SimulatorOptions {
  store: SlotStore
  /** What is known of a ZIP code of five digits; undefined when there is none. */
  findArea: (zip: string) => Promise<AreaFacts | undefined>
  /** ZIP codes to which phlebotomists come; all when there are none. */
  phlebotomyZips: readonly string[]
}

/** A call never waits longer for an answer, milliseconds. */
const LONGEST_WAIT_MS = 30_000
/** A booking that was only held is confirmed, or one declined, so much later in the time of the sandbox. */
const ANSWERED_AFTER_MS = 5 * 60_000

/**
 * The providers of appointments of all sandboxes: they know what is booked, and no slot takes more than its
 * seats. Notes of an appointment say what shall go wrong with it (docs/sandbox.md#the-sandbox-of-appointments).
 */
export function createSchedulingSimulator(options: SimulatorOptions): SchedulingGateways {
  const gateways = new Map(
    APPOINTMENT_PROVIDERS.map((provider) => [provider, openGateway(provider, options)]),
  )
  return {
    find: (environment, provider) =>
      environment === 'sandbox' ? gateways.get(provider) : undefined,
  }
}

function openGateway(provider: AppointmentProvider, options: SimulatorOptions): SchedulingGateway {
  const { store } = options
  const { type, serviceTypes } = SCHEDULING_PROVIDERS[provider]
  const onlyZips = new Set(options.phlebotomyZips)
  const hasSlots = type === 'patient_service_center' || serviceTypes.includes('appointment-ready')

  /** Of sites the directory knows which there are. */
  const serves = async (location: SlotPlace): Promise<boolean> => {
    if ((location.kind === 'site') !== (type === 'patient_service_center')) return false
    if (location.kind === 'site') return true
    const zip = location.zip.slice(0, 5)
    return servesArea(provider, zip, await options.findArea(zip), onlyZips)
  }

  /** Who asks again, for a slot that has begun since, hears of the same booking. */
  const findOwnSeat = async (visit: Visit, calendar: string, { start }: Slot) => {
    const seat = await store.findSeat(visit)
    return seat?.calendar === calendar && Number(seat.start) === Number(start) ? seat : undefined
  }

  const book = async (visit: Visit, slot: Slot, now: Date, signal?: AbortSignal) => {
    const calendar = slotCalendar(provider, visit.place)
    return answer(visit, signal, async () => {
      if (!(await serves(visit.place))) return 'refused'
      const offered = hasSlots ? calendar.findSlot(slot.start, slot.end, now) : undefined
      const seat = offered ?? (await findOwnSeat(visit, calendar.name, slot))
      if (seat === undefined) return 'slot_unavailable'
      const { start, capacity } = seat
      return { seat: { calendar: calendar.name, start, capacity }, now }
    })
  }

  /** What becomes of what is asked for, with what goes wrong on the way. */
  const answer = async (
    visit: Visit,
    signal: AbortSignal | undefined,
    choose: () => Promise<Pick<Booking, 'seat' | 'now'> | 'refused' | 'slot_unavailable'>,
  ): Promise<BookingAnswer> => {
    const wish = readWish(visit.notes)
    if (wish?.kind === 'silent') return beSilent(signal)
    if (wish?.kind === 'refused') return { state: 'refused' }
    const chosen = wish?.kind === 'taken' ? 'slot_unavailable' : await choose()
    if (typeof chosen === 'string') return { state: chosen }
    const isHeld = SCHEDULING_PROVIDERS[provider].confirmsLater
    const taken = await store.take(visit, { ...chosen, later: laterAnswer(chosen, isHeld, wish) })
    if (taken.state === 'full') return { state: 'slot_unavailable' }
    if (taken.state === 'cancelled') return { state: 'refused' }
    if (wish?.kind === 'lost' && taken.isNew) throw new ProviderUnavailable()
    if (wish?.kind === 'slow') {
      const passed = chosen.now.getTime() - taken.since.getTime()
      await wait(wish.milliseconds - passed, signal)
    }
    return { state: 'booked', ...bookingNumbers(provider, visit.appointmentId), isHeld }
  }

  return {
    provider,
    serviceTypes: async ({ zip }) =>
      type === 'phlebotomy' && (await serves({ kind: 'area', zip, timeZone: 'UTC' }))
        ? [...serviceTypes]
        : [],
    async listSlots(search) {
      const isServed = hasSlots && (await serves(search.place))
      return isServed ? listDays(provider, store, search) : listEmptyDays(search)
    },
    book,
    request: (visit, now, signal) =>
      answer(visit, signal, async () => {
        const takesRequests = serviceTypes.includes('appointment-request')
        if (!takesRequests || !(await serves(visit.place))) return 'refused'
        return { seat: null, now }
      }),
    reschedule: book,
    cancel: (appointment) => store.cancel(appointment),
  }
}

const listEmptyDays = ({ startDate, days }: SlotSearch): SlotDay[] =>
  listDates(startDate, days).map((date) => ({ date, slots: [] }))

async function listDays(
  provider: AppointmentProvider,
  store: SlotStore,
  { environmentId, now, place: location, startDate, days }: SlotSearch,
): Promise<SlotDay[]> {
  const calendar = slotCalendar(provider, location)
  const dates = listDates(startDate, days + 1)
  const [from, before] = [dates[0], dates[days]].map(
    (date) => new Date(startOfDay(date as string, location.timeZone)),
  )
  const rows = await store.listTaken(
    { environmentId, calendar: calendar.name },
    from as Date,
    before as Date,
  )
  const taken = new Map(rows.map((row) => [row.start.getTime(), row.taken]))
  return dates.slice(0, days).map((date) => ({
    date,
    slots: calendar.listSlots(date, now).map(({ capacity, ...slot }) => ({
      ...slot,
      available: capacity - (taken.get(slot.start.getTime()) ?? 0),
    })),
  }))
}

/** A held slot is confirmed; the time of a request is set only when its order is simulated. */
function laterAnswer(
  { seat, now }: Pick<Booking, 'seat' | 'now'>,
  isHeld: boolean,
  wish: Wish | undefined,
): Booking['later'] {
  const at = new Date(now.getTime() + ANSWERED_AFTER_MS)
  if (wish?.kind === 'declined') return { at, kind: 'appointment_cancelled' }
  return seat !== null && isHeld ? { at, kind: 'appointment_scheduled' } : null
}

async function beSilent(signal: AbortSignal | undefined): Promise<never> {
  await wait(Number.POSITIVE_INFINITY, signal)
  throw new ProviderUnavailable()
}

/** @throws ProviderUnavailable when nobody waits any more */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const isTooLong = milliseconds > LONGEST_WAIT_MS
  try {
    if (milliseconds > 0) {
      await sleep(Math.min(milliseconds, LONGEST_WAIT_MS), undefined, signal && { signal })
    }
  } catch (cause) {
    throw new ProviderUnavailable({ cause })
  }
  if (isTooLong) throw new ProviderUnavailable()
}
