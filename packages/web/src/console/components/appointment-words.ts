import type { components } from '../api/openapi.generated.d.ts'
import type { Tone } from './status-badge.tsx'

type Appointment = components['schemas']['Appointment']

interface StatusRow {
  label: string
  tone: Tone
  /** Whether the appointment is still to come or in progress. */
  isActive: boolean
}

/** Every status of an appointment (docs/contract/14-appointments-and-psc.md). */
export const APPOINTMENT_STATUSES: Readonly<Record<Appointment['status'], StatusRow>> = {
  pending: { label: 'Requested', tone: 'warning', isActive: true },
  reserved: { label: 'Reserved', tone: 'info', isActive: true },
  confirmed: { label: 'Confirmed', tone: 'good', isActive: true },
  in_progress: { label: 'In progress', tone: 'info', isActive: true },
  completed: { label: 'Completed', tone: 'good', isActive: false },
  cancelled: { label: 'Cancelled', tone: 'neutral', isActive: false },
}

export const APPOINTMENT_PROVIDERS: Readonly<Record<Appointment['provider'], string>> = {
  getlabs: 'Getlabs',
  phlebfinders: 'PhlebFinders',
  quest: 'Quest',
  sonora_quest: 'Sonora Quest',
}
