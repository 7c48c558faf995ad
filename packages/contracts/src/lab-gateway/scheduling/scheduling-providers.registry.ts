/** What one may come for (docs/contract/14-appointments-and-psc.md#enums). */
export const APPOINTMENT_TYPES = ['phlebotomy', 'patient_service_center'] as const
export type AppointmentType = (typeof APPOINTMENT_TYPES)[number]

/** Laboratories at whose sites appointments are booked. */
export const APPOINTMENT_LABS = ['quest', 'sonora_quest'] as const
export type AppointmentLab = (typeof APPOINTMENT_LABS)[number]

export const APPOINTMENT_PROVIDERS = ['getlabs', 'phlebfinders', ...APPOINTMENT_LABS] as const
export type AppointmentProvider = (typeof APPOINTMENT_PROVIDERS)[number]

/** Slots that are booked at once, or an address to which somebody comes at a time told later. */
export const APPOINTMENT_SERVICE_TYPES = ['appointment-ready', 'appointment-request'] as const
export type AppointmentServiceType = (typeof APPOINTMENT_SERVICE_TYPES)[number]

/** What holds of a provider wherever it is reached. */
export interface SchedulingProvider {
  type: AppointmentType
  /** Of phlebotomy. */
  serviceTypes: readonly AppointmentServiceType[]
  /** The laboratory at whose sites it books; null where it sends somebody to the patient. */
  labSlug: AppointmentLab | null
  /**
   * Appointments can be moved and cancelled through the service, and not only with the laboratory.
   */
  isChangeable: boolean
  /** A booking is only held until the provider says later, by a message, that it stands. */
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
