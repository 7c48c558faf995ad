import type { RequisitionPatient } from '../requisition.ts'
import type {
  AppointmentProvider,
  AppointmentServiceType,
} from './scheduling-providers.registry.ts'

/** Address of a visit (docs/contract/14-appointments-and-psc.md#usaddress). */
export interface VisitAddress {
  first_line: string
  second_line: string | null
  city: string
  state: string
  /** Five digits, or nine with a hyphen. */
  zip_code: string
  access_notes: string | null
}

/** Place of a search for slots: around a patient, or at a site of a laboratory. */
export type SlotPlace =
  | { kind: 'area'; zip: string; timeZone: string }
  | { kind: 'site'; siteCode: string; timeZone: string }

export interface SlotSearch {
  environmentId: string
  /** Time of the environment. Slots that began before it are left out. */
  now: Date
  place: SlotPlace
  /** Address of the patient, for providers whose slots depend on it. */
  address?: VisitAddress
  /** First local day, YYYY-MM-DD in the zone of the place. */
  startDate: string
  /** Number of local days, the first one included. */
  days: number
}

export interface Slot {
  start: Date
  end: Date
}

/** A slot that a provider offers. */
export interface OfferedSlot extends Slot {
  /** US cents. */
  priceCents: number
  isPriority: boolean
  /** Number of appointments that still fit; 0 when it is full. */
  available: number
}

/** The slots of a local day, in order. A day without slots is included. */
export interface SlotDay {
  /** YYYY-MM-DD */
  date: string
  slots: OfferedSlot[]
}

/**
 * The visit that a provider shall book. The provider must identify it by `appointmentId`, so that
 * a repeated call has no further effect.
 */
export interface Visit {
  environmentId: string
  appointmentId: string
  place: SlotPlace
  address: VisitAddress
  patient: RequisitionPatient | null
  /** The laboratory's number of the requisition, if any. */
  requisitionNumber: string | null
  notes: string | null
}

/** Answer of a provider to a booking, a request or a move. */
export type BookingAnswer =
  | {
      state: 'booked'
      /** The provider's id of the appointment. */
      providerId: string
      /** Number that the patient presents; null when there is none. */
      externalId: string | null
      /** Whether it is only held, to be confirmed later by a message. */
      isHeld: boolean
    }
  /** The slot is taken or gone. */
  | { state: 'slot_unavailable' }
  /** The provider does not serve the patient or the place. */
  | { state: 'refused' }

/** The provider did not answer in time, so that the outcome of the booking is unknown. */
export class ProviderUnavailable extends Error {
  /**
   * Whether the provider announced maintenance: nothing failed, and the request may be repeated
   * later as if it had not been sent.
   */
  readonly isMaintenance: boolean

  constructor({ isMaintenance = false, ...options }: UnavailableOptions = {}) {
    super('The provider of appointments did not answer.', options)
    this.name = 'ProviderUnavailable'
    this.isMaintenance = isMaintenance
  }
}

interface UnavailableOptions extends ErrorOptions {
  isMaintenance?: boolean
}

/**
 * A connection to a provider of phlebotomists or of the calendars of sites. Booking knows only this
 * interface; the composition root chooses the implementation. What a provider reports by itself (a
 * time, a cancellation, a phlebotomist on the way) is an update of the order and is received by the
 * inbox of laboratories. Every call may be repeated after a failure that leaves the outcome
 * unknown.
 */
export interface SchedulingGateway {
  readonly provider: AppointmentProvider
  /**
   * Returns how the provider serves an area; empty where it does not, and for providers with sites.
   */
  serviceTypes(area: { environmentId: string; zip: string }): Promise<AppointmentServiceType[]>
  /** Returns one entry for each requested day. @throws ProviderUnavailable */
  listSlots(search: SlotSearch, signal?: AbortSignal): Promise<SlotDay[]>
  /** Books a slot. @throws ProviderUnavailable */
  book(visit: Visit, slot: Slot, now: Date, signal?: AbortSignal): Promise<BookingAnswer>
  /** Requests a visit at a time that the provider sets. @throws ProviderUnavailable */
  request(visit: Visit, now: Date, signal?: AbortSignal): Promise<BookingAnswer>
  /**
   * Moves a booking; unless the answer is `booked`, the previous one stands.
   * @throws ProviderUnavailable
   */
  reschedule(visit: Visit, slot: Slot, now: Date, signal?: AbortSignal): Promise<BookingAnswer>
  /**
   * Releases the slot, also of a booking that the provider does not know. @throws
   * ProviderUnavailable
   */
  cancel(appointment: { environmentId: string; appointmentId: string }): Promise<void>
}

/** The scheduling gateways of an installation. */
export interface SchedulingGateways {
  /** Finds the gateway to a provider from an environment; undefined where none is configured. */
  find(
    environment: 'sandbox' | 'production',
    provider: AppointmentProvider,
  ): SchedulingGateway | undefined
}
