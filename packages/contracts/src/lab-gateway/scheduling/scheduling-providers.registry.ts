/** Types of appointments (docs/contract/14-appointments-and-psc.md#enums). */
export const APPOINTMENT_TYPES = ['phlebotomy', 'patient_service_center'] as const
export type AppointmentType = (typeof APPOINTMENT_TYPES)[number]

/** Laboratories at whose sites appointments are booked. */
export const APPOINTMENT_LABS = ['quest', 'sonora_quest'] as const
export type AppointmentLab = (typeof APPOINTMENT_LABS)[number]

export const APPOINTMENT_PROVIDERS = ['getlabs', 'phlebfinders', ...APPOINTMENT_LABS] as const
export type AppointmentProvider = (typeof APPOINTMENT_PROVIDERS)[number]

/** A slot that is booked at once, or a request for a visit whose time is set later. */
export const APPOINTMENT_SERVICE_TYPES = ['appointment-ready', 'appointment-request'] as const
export type AppointmentServiceType = (typeof APPOINTMENT_SERVICE_TYPES)[number]

/** Properties of a provider that are the same in every environment. */
export interface SchedulingProvider {
  type: AppointmentType
  /** Service types of phlebotomy. */
  serviceTypes: readonly AppointmentServiceType[]
  /** The laboratory whose sites it books; null where it sends phlebotomists to patients. */
  labSlug: AppointmentLab | null
  /** Whether appointments can be moved and canceled through the service. */
  isChangeable: boolean
  /** Whether a booking is only held until the provider confirms it by a message. */
  confirmsLater: boolean
}

/** docs/contract/14-appointments-and-psc.md#enums */
export const SCHEDULING_PROVIDERS: Readonly<Record<AppointmentProvider, SchedulingProvider>> = {
  getlabs: {
    type: 'phlebotomy',
    serviceTypes: ['appointment-ready'],
    labSlug: null,
    isChangeable: true,
    confirmsLater: false,
  },
  phlebfinders: {
    type: 'phlebotomy',
    serviceTypes: ['appointment-request'],
    labSlug: null,
    isChangeable: true,
    confirmsLater: true,
  },
  quest: {
    type: 'patient_service_center',
    serviceTypes: [],
    labSlug: 'quest',
    isChangeable: true,
    confirmsLater: false,
  },
  sonora_quest: {
    type: 'patient_service_center',
    serviceTypes: [],
    labSlug: 'sonora_quest',
    isChangeable: false,
    confirmsLater: true,
  },
}
