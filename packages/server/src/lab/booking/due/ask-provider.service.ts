import { addJob, defineJob } from '../../../platform/jobs/jobs.ts'
import type { Scope, TransactionScope } from '../../../platform/scope.ts'
import {
  type AppointmentRow,
  findAppointment,
  lockAppointment,
  tellProviderOfCancellation,
  transitionAppointment,
} from '../../appointments/index.ts'
import { type BookingAnswer, ProviderUnavailable } from '../../gateways/index.ts'
import { findOrder, followAppointment, lockOrder, type OrderRow } from '../../orders/index.ts'
import { postponeAsking } from './due-appointments.repository.ts'
import type { DueParts } from './run-due-appointments.service.ts'

export interface AskProviderJob {
  environmentId: string
  appointmentId: string
}

/** The job that asks the provider of a pending booking again. */
export const ASK_PROVIDER = defineJob<AskProviderJob>('ask_provider_of_appointment', {
  maxAttempts: 12,
})

const SECOND_MS = 1000
/** The pauses between two questions grow with the time that the answer takes, from and up to these. */
const SHORTEST_PAUSE_MS = 5 * SECOND_MS
const LONGEST_PAUSE_MS = 3600 * SECOND_MS

/** When a provider that was silent is asked the next time. */
export function nextAsk({ created_at: createdAt }: Pick<AppointmentRow, 'created_at'>, at: Date): Date {
  const waited = at.getTime() - createdAt.getTime()
  const pause = Math.min(Math.max(waited, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
  return new Date(at.getTime() + pause)
}
