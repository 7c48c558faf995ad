import type { RequisitionPatient } from '../requisition.ts'
import type {
  AppointmentProvider,
  AppointmentServiceType,
} from './scheduling-providers.registry.ts'

/** Where somebody comes to, or goes to (docs/contract/14-appointments-and-psc.md#usaddress). */
export interface VisitAddress {
  first_line: string
  second_line: string | null
  city: string
  state: string
  /** Five digits, or nine with a hyphen. */
  zip_code: string
  access_notes: string | null
}

/** Where slots are asked for: around a patient, or at a site of a laboratory. */
export type SlotPlace =
  | { kind: 'area'; zip: string; timeZone: string }
  | { kind: 'site'; siteCode: string; timeZone: string }

export interface SlotSearch {
  environmentId: string
  /** The environment's own time: slots that began before it are none. */
  now: Date
  place: SlotPlace
  /** The first local day, YYYY-MM-DD in the zone of the place. */
  startDate: string
  /** Local days, the first one included. */
  days: number
}

export interface Slot {
  start: Date
  end: Date
}

/** A slot as a provider offers it. */
export interface OfferedSlot extends Slot {
  /** US cents. */
  priceCents: number
  isPriority: boolean
  /** How many appointments it still takes; 0 for one that is full. */
  available: number
}

/** The slots of a local day, in order; a day without any is there all the same. */
export interface SlotDay {
  /** YYYY-MM-DD */
  date: string
  slots: OfferedSlot[]
}

/**
 * What a provider is asked to do. It must know it by `appointmentId`: asked again, it is the same.
 */
export interface Visit {
  environmentId: string
  appointmentId: string
  place: SlotPlace
  address: VisitAddress
  patient: RequisitionPatient | null
  /** The laboratory's number of the requisition, where there is one. */
  requisitionNumber: string | null
  notes: string | null
}

/** What a provider said to a booking, a request or a move. */
export type BookingAnswer =
  | {
      state: 'booked'
      /** The provider's own id of it. */
      providerId: string
      /** The number the patient shows; null where there is none. */
      externalId: string | null
      /** It only holds it, and says later by a message whether it stands. */
      isHeld: boolean
    }
  /** The slot is taken or gone. */
  | { state: 'slot_unavailable' }
  /** It will not serve the patient or the place. */
  | { state: 'refused' }

/** The provider did not answer, or not in time: nobody knows whether it took the booking. */
export class ProviderUnavailable extends Error {
  constructor(options?: ErrorOptions) {
    super('The provider of appointments did not answer.', options)
    this.name = 'ProviderUnavailable'
  }
}

/**
 * One way to who sends phlebotomists or keeps the calendars of sites. Booking knows this interface
 * only; the composition root chooses what stands behind it. What a provider says by itself (a time,
 * a cancellation, that somebody is on the way) is an update of the order and comes through the
 * inbox of laboratories. Every call may be made again after a failure of which nobody knows how far
 * it came.
 */
export interface SchedulingGateway {
  readonly provider: AppointmentProvider
  /** How it serves an area; empty where it does not. Of providers with sites always empty. */
  serviceTypes(area: { environmentId: string; zip: string }): Promise<AppointmentServiceType[]>
  /** One entry for each asked day. @throws ProviderUnavailable */
  listSlots(search: SlotSearch, signal?: AbortSignal): Promise<SlotDay[]>
  /** Books a slot. @throws ProviderUnavailable */
  book(visit: Visit, slot: Slot, now: Date, signal?: AbortSignal): Promise<BookingAnswer>
  /** Asks for somebody to come at a time that the provider sets. @throws ProviderUnavailable */
  request(visit: Visit, now: Date, signal?: AbortSignal): Promise<BookingAnswer>
  /**
   * Moves a booking; the one before stands when this is not `booked`.
   * @throws ProviderUnavailable
   */
  reschedule(visit: Visit, slot: Slot, now: Date, signal?: AbortSignal): Promise<BookingAnswer>
  /** Gives the slot back; also of a booking that it does not know. @throws ProviderUnavailable */
  cancel(appointment: { environmentId: string; appointmentId: string }): Promise<void>
}

/** The scheduling gateways of an installation. */
export interface SchedulingGateways {
  /** The way to a provider from an environment; undefined where none is set up. */
  find(
    environment: 'sandbox' | 'production',
    provider: AppointmentProvider,
  ): SchedulingGateway | undefined
}
