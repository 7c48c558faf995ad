import {
  APPOINTMENT_PROVIDERS,
  type AppointmentProvider,
  type AppointmentServiceType,
  SCHEDULING_PROVIDERS,
  type SchedulingGateway,
  type SlotSearch,
  type VisitAddress,
} from '@salus/contracts/lab-gateway'
import { findZipCode } from '@salus/kernel/geography/zip-codes'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { dateInZone } from '@salus/kernel/time/instants'
import type { AvailabilitySlots, USAddressInput } from '../booking.schema.ts'
import { BookingKeys } from '../booking-key.ts'
import type { BookingParts } from '../booking-parts.ts'
import { requireScheduling, requireVisitAddress } from '../booking-rules.ts'
import { readFromProvider } from '../provider-calls.ts'
import { AVAILABLE_DAYS, laterDate, toStartDate, toTimeSlot } from './slot-days.ts'

/** The zone in which a day ends last. For an unknown ZIP code no day counts as past too early. */
const LAST_ZONE = 'Pacific/Pago_Pago'

/** Returns the gateways to the phlebotomy providers of the environment. */
function listVisitGateways(
  { environment }: Scope,
  { scheduling }: Pick<BookingParts, 'scheduling'>,
): SchedulingGateway[] {
  return APPOINTMENT_PROVIDERS.filter((name) => SCHEDULING_PROVIDERS[name].type === 'phlebotomy')
    .map((name) => scheduling.find(environment.kind, name))
    .filter((gateway) => gateway !== undefined)
}

/**
 * Returns the phlebotomy providers that serve a ZIP code with their service types; empty for an
 * unknown ZIP code.
 */
export async function listPhlebotomyProviders(
  scope: Scope,
  parts: Pick<BookingParts, 'scheduling'>,
  zip: string,
): Promise<{ name: AppointmentProvider; service_types: AppointmentServiceType[] }[]> {
  const area = { environmentId: scope.environment.id, zip: zip.slice(0, 5) }
  const served = await Promise.all(
    listVisitGateways(scope, parts).map(async (gateway) => ({
      name: gateway.provider,
      service_types: await readFromProvider(() => gateway.serviceTypes(area)),
    })),
  )
  return served.filter(({ service_types }) => service_types.length > 0)
}

/**
 * Returns the slots for visits at an address on 14 local days. The days are empty where no provider
 * serves the address
 * (docs/contract/14-appointments-and-psc.md#post-v3orderphlebotomyappointmentavailability).
 * @throws AppError 400 `start_date_in_past`; 403 `feature_not_enabled`; 422 for an address without
 *   a state or number; 502 `provider_unavailable`
 */
export async function findVisitSlots(
  scope: Scope,
  parts: BookingParts,
  address: USAddressInput,
  asked: { startDate: string | null | undefined },
): Promise<AvailabilitySlots> {
  requireScheduling(scope)
  requireVisitAddress(address, [])
  const zip = address.zip_code.slice(0, 5)
  const area = await findZipCode(zip)
  const now = environmentNow(scope)
  const startDate = toStartDate(
    asked.startDate,
    dateInZone(now, area === undefined ? LAST_ZONE : area.timeZone),
  )
  const dates = Array.from({ length: AVAILABLE_DAYS }, (_, day) => laterDate(startDate, day))
  if (area === undefined) {
    return { slots: dates.map((date) => ({ location: null, date, slots: [] })), timezone: null }
  }
  const { timeZone } = area
  const keys = new BookingKeys(parts.secrets, scope.environment.id)
  const search: SlotSearch = {
    environmentId: scope.environment.id,
    now,
    place: { kind: 'area', zip, timeZone },
    address: toSlotAddress(address),
    startDate,
    days: AVAILABLE_DAYS,
  }
  const offers = await Promise.all(
    listVisitGateways(scope, parts)
      .filter(({ provider }) => hasSlots(provider))
      .map(async (gateway) => {
        const sold = { keys, provider: gateway.provider, location: zip, now }
        const days = await readFromProvider((signal) => gateway.listSlots(search, signal))
        return new Map(
          days.map((day) => [day.date, day.slots.map((slot) => toTimeSlot(slot, sold))]),
        )
      }),
  )
  const slots = dates.map((date) => {
    const ofDay = offers.flatMap((days) => days.get(date) ?? [])
    return { location: null, date, slots: ofDay.sort((a, b) => (a.start < b.start ? -1 : 1)) }
  })
  return { slots, timezone: timeZone }
}

function toSlotAddress(address: USAddressInput): VisitAddress {
  const { first_line, second_line, unit, city, state, zip_code, access_notes = null } = address
  return {
    first_line,
    second_line: second_line || unit || null,
    city,
    state,
    zip_code,
    access_notes,
  }
}

const hasSlots = (provider: AppointmentProvider): boolean =>
  SCHEDULING_PROVIDERS[provider].serviceTypes.includes('appointment-ready')
