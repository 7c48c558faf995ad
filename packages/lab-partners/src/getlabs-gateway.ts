import {
  type BookingAnswer,
  ProviderUnavailable,
  type SchedulingGateway,
  type Slot,
  type SlotSearch,
  type Visit,
} from '@salus/contracts/lab-gateway'
import { PartnerFailure } from '@salus/contracts/lab-partners'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { Clock } from '@salus/kernel/time/clock'
import { dateInZone } from '@salus/kernel/time/instants'
import { type FoundVisit, GetlabsApi } from './getlabs-api.ts'
import type { Send } from './partner-http.ts'
import type { GetlabsSettings } from './partner-settings.ts'

interface GatewayOptions {
  clock: Clock
  onFailure: (failure: PartnerFailure) => void
}

/** The areas that Getlabs serves change rarely. */
const AREA_MS = HOUR_MS
const MOST_AREAS = 2000

/**
 * Creates the gateway to Getlabs. A visit has the id of the appointment as its reference: before a
 * visit is booked, moved or cancelled, it is looked up by that, so that a repeated call has no
 * further effect.
 */
export function createGetlabsGateway(
  settings: GetlabsSettings,
  send: Send,
  { clock, onFailure }: GatewayOptions,
): SchedulingGateway {
  const api = new GetlabsApi(settings, send, clock)
  const areas = new Map<string, { isServed: boolean; until: number }>()

  const servesArea = async (zip: string): Promise<boolean> => {
    const known = areas.get(zip)
    const now = clock.now().getTime()
    if (known !== undefined && known.until > now) return known.isServed
    const date = clock.now().toISOString().slice(0, 10)
    const isServed =
      (await api.listSlots({ zipCode: zip, startDate: date, days: '1' })) !== undefined
    if (areas.size >= MOST_AREAS) areas.clear()
    areas.set(zip, { isServed, until: now + AREA_MS })
    return isServed
  }

  const book = (visit: Visit, slot: Slot, _now: Date, signal?: AbortSignal) =>
    reach(onFailure, () => bookVisit(api, visit, slot, signal))

  return {
    provider: 'getlabs',
    serviceTypes: ({ zip }) =>
      reach(onFailure, async () => ((await servesArea(zip)) ? ['appointment-ready'] : [])),
    listSlots: (search, signal) => reach(onFailure, () => listDays(api, search, signal)),
    book,
    // A visit always has a slot here.
    request: async () => ({ state: 'refused' }),
    reschedule: book,
    cancel: ({ appointmentId }) =>
      reach(onFailure, async () => {
        const found = await api.findVisit(appointmentId)
        if (found !== undefined) await api.cancelVisit(found.id)
      }),
  }
}

/** @throws ProviderUnavailable for every failure of the provider */
async function reach<T>(
  onFailure: GatewayOptions['onFailure'],
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    if (!(cause instanceof PartnerFailure)) throw cause
    const isMaintenance = cause.reason === 'maintenance'
    if (!isMaintenance) onFailure(cause)
    throw new ProviderUnavailable({ cause, isMaintenance })
  }
}

async function listDays(
  api: GetlabsApi,
  { place: where, address, startDate, days, now }: SlotSearch,
  signal: AbortSignal | undefined,
) {
  const first = Date.parse(`${startDate}T00:00:00Z`)
  const dates = Array.from({ length: days }, (_, day) =>
    new Date(first + day * DAY_MS).toISOString().slice(0, 10),
  )
  const zipCode = where.kind === 'area' ? where.zip : ''
  const street = address && {
    address: address.first_line,
    city: address.city,
    state: address.state,
  }
  const search = { zipCode, ...street, startDate, days: String(days) }
  const slots = where.kind === 'area' ? ((await api.listSlots(search, signal)) ?? []) : []
  const future = slots.filter(({ start }) => start >= now)
  return dates.map((date) => ({
    date,
    slots: future
      .filter(({ start }) => dateInZone(start, where.timeZone) === date)
      .sort((one, other) => one.start.getTime() - other.start.getTime()),
  }))
}

/** Books a slot, moves the visit there, or finds that it has it already. */
async function bookVisit(
  api: GetlabsApi,
  visit: Visit,
  slot: Slot,
  signal: AbortSignal | undefined,
): Promise<BookingAnswer> {
  const { patient } = visit
  if (patient === null || visit.place.kind === 'site') return { state: 'refused' }
  const found = await api.findVisit(visit.appointmentId, signal)
  if (found !== undefined && found.startAt.getTime() === slot.start.getTime())
    return toAnswer(found)
  const booked =
    found === undefined
      ? await api.bookVisit(visit, slot, await api.findOrAddPatient(patient, signal), signal)
      : await api.moveVisit(found.id, slot, signal)
  return typeof booked === 'string' ? { state: booked } : toAnswer(booked)
}

const toAnswer = ({ id }: FoundVisit): BookingAnswer => ({
  state: 'booked',
  providerId: id,
  externalId: null,
  isHeld: false,
})
