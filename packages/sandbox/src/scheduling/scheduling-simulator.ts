import {
  APPOINTMENT_PROVIDERS,
  type AppointmentProvider,
  SCHEDULING_PROVIDERS,
  type SchedulingGateway,
  type SchedulingGateways,
  type Slot,
  type SlotDay,
  type SlotPlace,
  type SlotSearch,
  type SlotStore,
  type Visit,
} from '@salus/contracts/lab-gateway'
import { answerVisit, type Wanted } from './answers.ts'
import { listDates, startOfDay } from './opening-hours.ts'
import { type AreaFacts, servesArea } from './phlebotomy-areas.ts'
import { slotCalendar } from './slot-calendar.ts'

interface SimulatorOptions {
  store: SlotStore
  /** Returns the facts of a ZIP code of five digits; undefined when there is none. */
  findArea: (zip: string) => Promise<AreaFacts | undefined>
  /** ZIP codes that phlebotomists serve; all when the list is empty. */
  phlebotomyZips: readonly string[]
}

/**
 * Creates the providers of appointments of all sandboxes: they know their bookings, and no slot
 * takes more than its seats. Notes of an appointment can request a fault
 * (docs/sandbox.md#the-sandbox-of-appointments).
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
  const hasSites = type === 'patient_service_center'
  const hasSlots = hasSites || serviceTypes.includes('appointment-ready')

  const servesZip = async (given: string): Promise<boolean> => {
    const zip = given.slice(0, 5)
    return !hasSites && servesArea(provider, zip, await options.findArea(zip), onlyZips)
  }
  /** The directory knows which sites exist. */
  const serves = async (location: SlotPlace): Promise<boolean> =>
    location.kind === 'site' ? hasSites : servesZip(location.zip)

  const book = (visit: Visit, slot: Slot, now: Date, signal?: AbortSignal) =>
    answerVisit(provider, store, visit, signal, async () => {
      if (!(await serves(visit.place))) return 'refused'
      return (hasSlots && (await findSeat(provider, store, visit, slot, now))) || 'slot_unavailable'
    })

  return {
    provider,
    serviceTypes: async ({ zip }) => ((await servesZip(zip)) ? [...serviceTypes] : []),
    async listSlots(search) {
      const isServed = hasSlots && (await serves(search.place))
      return isServed ? listDays(provider, store, search) : listEmptyDays(search)
    },
    book,
    request: (visit, now, signal) =>
      answerVisit(provider, store, visit, signal, async () => {
        const takesRequests = serviceTypes.includes('appointment-request')
        if (!takesRequests || !(await serves(visit.place))) return 'refused'
        return { seat: null, now }
      }),
    reschedule: book,
    cancel: (appointment) => store.cancel(appointment),
  }
}

/**
 * Returns the seat of a slot that is offered, or that the appointment already has, also when it has
 * begun since.
 */
async function findSeat(
  provider: AppointmentProvider,
  store: SlotStore,
  visit: Visit,
  { start, end }: Slot,
  now: Date,
): Promise<Wanted | undefined> {
  const calendar = slotCalendar(provider, visit.place)
  const offered = calendar.findSlot(start, end, now)
  if (offered !== undefined) {
    return { seat: { calendar: calendar.name, start, capacity: offered.capacity }, now }
  }
  const seat = await store.findSeat(visit)
  const isSame = seat?.calendar === calendar.name && Number(seat.start) === Number(start)
  return isSame ? { seat, now } : undefined
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
